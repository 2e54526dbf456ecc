/**
 * Bundles every program of fluffy into `dist/`: the CLI (split into chunks, so that `--version` and headless runs never
 * load the terminal interface) and one self-contained file for each program that runs as a process of its own.
 *
 * Output names are stable; chunks carry their content's hash. Files are replaced one by one by rename and the manifest comes
 * last, so a program started meanwhile sees either the old or the new file, never half of one. Chunks of the previous
 * build stay for one more build: a running CLI may not have imported all of them yet.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { diet, unwantedInputs } from './bundle-diet.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const outRoot = join(root, 'dist');
const manifestName = 'manifest.json';

/** CommonJS packages inside an ES module still ask for `require`; `__dirname` and `__filename` are substituted below. */
const commonJsBanner = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join('\n');

const common = {
  absWorkingDir: root,
  outdir: outRoot,
  outbase: root,
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
  outExtension: { '.js': '.mjs' },
  // Native packages and WebAssembly are resolved at run time; the others are optional parts of packages that do without.
  external: ['better-sqlite3', 'esbuild', 'koffi', 'web-tree-sitter', 'react-devtools-core', 'cpu-features', '*.node'],
  define: {
    'process.env.NODE_ENV': '"production"',
    __dirname: 'import.meta.dirname',
    __filename: 'import.meta.filename',
  },
  banner: { js: commonJsBanner },
  plugins: [diet],
  metafile: true,
};

/** Output name (without extension) -> entry point. Every folder of a provider or a tool that has a `main.ts` is a program. */
const programs = {
  supervisor: 'src/cli/supervisor/main.ts',
  kernel: 'src/kernel/main.ts',
  setup: 'src/host/setup/main.ts',
  'policy-sandbox/main': 'tool-plugins/policy-sandbox/main.ts',
  ...(await programsBelow('src/providers', 'providers')),
  ...(await programsBelow('tool-plugins', 'tools', ['policy-sandbox'])),
};

async function programsBelow(folder, output, except = []) {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && existsSync(join(root, folder, entry.name, 'main.ts')))
    .map(({ name }) => name)
    .filter((name) => !except.includes(name));
  return Object.fromEntries(names.map((name) => [`${output}/${name}`, `${folder}/${name}/main.ts`]));
}

/** Reporters, preloads and canaries of the test tool: each runs inside somebody else's test runner. */
const testToolRuntime = 'tool-plugins/test-tool/runtime';
const testToolOutput = 'tools/test-tool';

/** The environment that these run in is the project's own: nothing of it is decided here. */
const inTestRunner = { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } };

/** Runs in one realm with an extension of the policy, without anything of Node around it. */
const extensionWorker = { 'policy-sandbox/extension-worker': 'tool-plugins/policy-sandbox/extension-worker.ts' };
const inExtensionWorker = { platform: 'neutral', define: {}, banner: {} };

async function bundleCli() {
  const entry = 'src/cli/main.ts';
  if (!existsSync(join(root, entry))) return [];
  const result = await build({
    ...common,
    entryPoints: { cli: entry },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  });
  return outputsOf(result);
}

async function bundleProgram(name, entry, options = {}) {
  if (!existsSync(join(root, entry))) return [];
  const result = await build({ ...common, ...options, entryPoints: { [name]: entry } });
  return outputsOf(result);
}

function outputsOf({ outputFiles, metafile }) {
  const unwanted = unwantedInputs(metafile);
  if (unwanted.length > 0) throw new Error(`bundled, but not wanted (bin/bundle-diet.mjs): ${unwanted.join(', ')}`);
  return outputFiles.map((file) => ({ name: relative(outRoot, file.path), contents: file.contents }));
}

async function bundleTestToolRuntime() {
  const directory = join(root, testToolRuntime);
  if (!existsSync(directory)) return [];
  const outputs = [];
  for (const path of await filesBelow(directory)) {
    const name = join(testToolOutput, relative(directory, path));
    if (/\.d\.[cm]?ts$/.test(name)) continue;
    if (/\.[cm]?ts$/.test(name)) {
      outputs.push(...(await bundleProgram(name.replace(/\.[cm]?ts$/, ''), relative(root, path), inTestRunner)));
    } else {
      outputs.push({ name, contents: await readFile(path), mode: (await stat(path)).mode & 0o777 });
    }
  }
  return outputs;
}

async function filesBelow(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function writeIfChanged({ name, contents, mode = 0o644 }) {
  const path = join(outRoot, name);
  const old = await readFile(path).catch(() => undefined);
  if (old !== undefined && old.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents, { mode });
  await chmod(temporary, mode);
  await rename(temporary, path);
}

async function readOldNames() {
  const text = await readFile(join(outRoot, manifestName), 'utf8').catch(() => '{"files":{}}');
  return Object.keys(JSON.parse(text).files ?? {});
}

const groups = await Promise.all([
  bundleCli(),
  ...Object.entries(programs).map(([name, entry]) => bundleProgram(name, entry)),
  ...Object.entries(extensionWorker).map(([name, entry]) => bundleProgram(name, entry, inExtensionWorker)),
  bundleTestToolRuntime(),
]);
const outputs = groups.flat().map((output) => ({ ...output, name: output.name.split(sep).join('/') }));
outputs.sort((a, b) => (a.name < b.name ? -1 : 1));

const oldNames = await readOldNames();
for (const output of outputs) await writeIfChanged(output);

const files = Object.fromEntries(
  outputs.map(({ name, contents }) => [name, createHash('sha256').update(contents).digest('hex')]),
);
const manifest = `${JSON.stringify({ version: 1, files }, undefined, 2)}\n`;
await writeIfChanged({ name: manifestName, contents: Buffer.from(manifest) });

const kept = new Set([manifestName, ...Object.keys(files), ...oldNames.filter((name) => name.startsWith('chunks/'))]);
for (const path of existsSync(outRoot) ? await filesBelow(outRoot) : []) {
  const name = relative(outRoot, path).split(sep).join('/');
  if (!name.startsWith('.setup/') && !kept.has(name)) await rm(path, { force: true });
}
