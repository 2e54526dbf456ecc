import { type TriedIn, saidInImage } from '../said-in-image.ts';
import type { VersionInImage } from './find-node.ts';

const PLACE = '/opt/tried';
/** Also starts a thread and another process of itself, as test runners do. */
const SCRIPT = `const { Worker } = require('node:worker_threads');
const { execFileSync } = require('node:child_process');
new Worker('', { eval: true }).on('exit', () => console.log(execFileSync(process.execPath, ['--version']).toString().trim()));`;

/** Tries a program of this host in a container of the images. */
export function versionInImage(tried: TriedIn): VersionInImage {
  return (directory, program) =>
    saidInImage(tried, [`${PLACE}/${program}`, '-e', SCRIPT], [{ source: directory, target: PLACE }]);
}
