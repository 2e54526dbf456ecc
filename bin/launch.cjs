/**
 * What bin/fluffy starts. CommonJS, so that a Node too old for anything else still gets here, and the compile cache is on before
 * the first file of the bundle is compiled.
 */
'use strict';

const minimumMajor = 22;

if (Number.parseInt(process.versions.node, 10) < minimumMajor) {
  // The Node that set-up recorded has been replaced by an older one; without the record, the next start looks again.
  const record = require('node:path').join(__dirname, '../dist/.setup/node');
  let next = 'run the same command again';
  try {
    require('node:fs').rmSync(record, { force: true });
  } catch {
    // The checkout is somebody else's.
    next = `put Node ${minimumMajor} or newer first on PATH`;
  }
  process.stderr.write(
    `fluffy: error: Node ${process.versions.node} is too old\n  why: ${process.execPath} was ${minimumMajor} or newer when fluffy was set up\n  fix: ${next}\n`,
  );
  process.exitCode = 2;
} else if (workingDirectory() === null) {
  process.stderr.write(
    'fluffy: error: The working directory is gone\n  why: it was removed or moved while this shell was in it\n  fix: change to a directory that exists, then run the same command again\n',
  );
  process.exitCode = 2;
} else {
  require('node:module').enableCompileCache?.();
  import('../dist/cli.mjs');
}

function workingDirectory() {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
