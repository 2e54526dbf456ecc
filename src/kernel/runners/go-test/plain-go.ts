/** Go writes to its build cache, and the host's is read-only in a sandbox: a cache of links to it. */
export const GO_WRITABLE_CACHE =
  'cp -rs "$GOCACHE" /tmp/go-plain && rm -f /tmp/go-plain/trim.txt && date +%s >/tmp/go-plain/trim.txt && export GOCACHE=/tmp/go-plain';

/** All packages, for a shell: a pattern does not reach into the modules of a workspace. */
export const GO_PACKAGES = `$(if [ -f go.work ]; then go list -m -f '{{.Dir}}/...'; else echo ./...; fi)`;
