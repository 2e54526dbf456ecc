/** Makes a writable build cache with links to the host's cache, which is read-only in a sandbox. */
export const GO_WRITABLE_CACHE =
  'cp -rs "$GOCACHE" /tmp/go-plain && rm -f /tmp/go-plain/trim.txt && date +%s >/tmp/go-plain/trim.txt && export GOCACHE=/tmp/go-plain';

/** All packages, as shell text. In a workspace, each module is named, because `./...` does not include its modules. */
export const GO_PACKAGES = `$(if [ -f go.work ]; then go list -m -f '{{.Dir}}/...'; else echo ./...; fi)`;
