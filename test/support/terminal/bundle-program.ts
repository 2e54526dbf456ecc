import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Bundles a TypeScript program with components, as Node does not read those. Resolves to the path of what to run. */
export async function bundleProgram(entry: string, directory: string): Promise<string> {
  await build({
    entryPoints: [entry],
    bundle: true,
    // What is loaded on demand, as tools for developers of components, stays apart.
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    external: ['react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return join(directory, basename(entry).replace(/\.tsx?$/, '.mjs'));
}
