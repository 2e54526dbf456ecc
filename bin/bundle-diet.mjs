/**
 * What the bundles leave out: parts of packages that are loaded with the rest and never used here. A kernel or a sandbox is started often, and
 * most of the time until it answers is spent on reading its program.
 *
 * Whatever is left out is replaced by a module that says so when it is used.
 */

/** Docker over SSH, BuildKit sessions, and build contexts: the guard's socket knows none of them. */
const DOCKERODE_PARTS = ['ssh2', '@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'tar-fs', '@balena/dockerignore'];

/** The above, and what only they need. */
const ABSENT_PACKAGES = [...DOCKERODE_PARTS, 'tar-stream', 'bl', 'tweetnacl', 'asn1', 'long', 'readable-stream'];

/** The files of an esbuild metafile that no bundle may hold. */
export function unwantedInputs(metafile) {
  const unwanted = new RegExp(`(?:^|/)node_modules/(?:(?:${ABSENT_PACKAGES.join('|')})/|zod/.*/locales/(?!en\\.js))`);
  return Object.keys(metafile.inputs).filter((path) => unwanted.test(path));
}

const absent = (what) => `
function absent() {
  throw new Error(${JSON.stringify(`${what} is not part of this program (bin/bundle-diet.mjs)`)});
}
module.exports = new Proxy(absent, { get: (_, name) => (name === '__esModule' ? undefined : absent) });
`;

/** Error messages in languages that nobody asks for; English is loaded by itself. */
const ZOD_LOCALES = /^\.\.?\/(?:.*\/)?locales\/index\.js$/;

/** An esbuild plugin, for every program. */
export const diet = {
  name: 'diet',
  setup(build) {
    const filter = new RegExp(`^(?:${DOCKERODE_PARTS.join('|')})$`);
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({ contents: absent(path), loader: 'js' }));

    build.onResolve({ filter: ZOD_LOCALES }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]zod[\\/]/.test(importer) ? { path, namespace: 'no-locales' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'no-locales' }, () => ({ contents: 'export {};', loader: 'js' }));

    // docker-modem wants a copy of node:stream for versions of Node that are long gone.
    build.onResolve({ filter: /^readable-stream$/ }, () => ({ path: 'node:stream', external: true }));

    // Importing node:http reads all its members, and one of them loads Node's whole fetch. Requiring it does not.
    build.onResolve({ filter: /^node:https?$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};
