import * as nodeModule from 'node:module';

/** Set by the bundler from package.json. */
declare const __FLUFFY_VERSION__: string;

/**
 * The first file of the bundle. It answers `--version` without loading anything else, and turns the compile cache on before
 * the rest is loaded: a static import would be compiled before the first statement runs.
 */
const [argument, ...others] = process.argv.slice(2);
if (argument === '--version' && others.length === 0) {
  process.stdout.write(`${__FLUFFY_VERSION__}\n`);
} else {
  nodeModule.enableCompileCache();
  await import('./main.ts');
}
