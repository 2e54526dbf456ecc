/**
 * What the bundles leave out: parts of packages that are loaded with the rest and never used here. A kernel or a sandbox is started often, and
 * most of the time until it answers is spent on reading its program.
 *
 * Whatever is left out is replaced by a module that says so when it is used.
 */
import { readFile } from 'node:fs/promises';

/** Docker over SSH, BuildKit sessions, and build contexts: the guard's socket knows none of them. */
const DOCKERODE_PARTS = ['ssh2', '@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'tar-fs', '@balena/dockerignore'];

/** The above, and what only they need. */
const ABSENT_PACKAGES = [...DOCKERODE_PARTS, 'tar-stream', 'bl', 'tweetnacl', 'asn1', 'long', 'readable-stream'];

/**
 * The layout engine of the terminal carries its WebAssembly as a data URL, decodes it itself where there is no fetch, and else fetches it: that
 * loads all of Node's fetch, for longer than the rest of the screen takes.
 */
const LAYOUT_ENGINE = /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/;
const HAS_NO_FETCH = '"function"!=typeof fetch';

async function layoutEngineWithoutFetch({ path }) {
  const text = await readFile(path, 'utf8');
  if (!text.includes(HAS_NO_FETCH))
    throw new Error(`${path} no longer asks for a fetch as bin/bundle-diet.mjs knows it`);
  return { contents: text.replace(HAS_NO_FETCH, 'true'), loader: 'js' };
}

/** From here yargs looks upwards for a package.json and reads it. In a bundle it would be the user's directory, where it could be a device or a pipe. */
const COMMAND_LINE = /[\\/]yargs[\\/]lib[\\/]platform-shims[\\/]esm\.mjs$/;
const LOOKS_FROM = 'mainFilename || process.cwd()';

async function commandLineWithoutProject({ path }) {
  const text = await readFile(path, 'utf8');
  if (!text.includes(LOOKS_FROM)) throw new Error(`${path} no longer looks from where bin/bundle-diet.mjs knows it`);
  return { contents: text.replace(LOOKS_FROM, 'import.meta.dirname'), loader: 'js' };
}

/**
 * How wide a text is in a terminal. For most of what is drawn each character takes one column; making the package's expressions over the Unicode
 * tables, for every copy that packages bring along, takes longer than a first frame. One copy serves all, once it is needed.
 */
const textWidth = `
const NOT_ONE_COLUMN_EACH = /[^ -~\\u00b7\\u2013\\u2014\\u2026\\u203a\\u2192\\u2500-\\u257f\\u2713\\u2717\\u2800-\\u28ff]/;
const COLOURS = /\\x1b\\[(?:\\d{1,3}(?:;\\d{1,3}){0,4})?m/g;
export default function stringWidth(text, options) {
  if (typeof text === 'string' && options === undefined) {
    const bare = text.includes('\\x1b') ? text.replace(COLOURS, '') : text;
    if (!NOT_ONE_COLUMN_EACH.test(bare)) return bare.length;
  }
  return require('string-width').default(text, options);
}
`;

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

    build.onLoad({ filter: LAYOUT_ENGINE }, layoutEngineWithoutFetch);
    build.onLoad({ filter: COMMAND_LINE }, commandLineWithoutProject);

    build.onResolve({ filter: /^string-width$/ }, ({ path, namespace }) =>
      namespace === 'text-width' ? undefined : { path, namespace: 'text-width' },
    );
    build.onLoad({ filter: /.*/, namespace: 'text-width' }, () => ({
      contents: textWidth,
      loader: 'js',
      resolveDir: build.initialOptions.absWorkingDir,
    }));

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
