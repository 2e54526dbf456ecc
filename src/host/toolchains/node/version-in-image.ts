import type { Engine } from '../../images/engine-api.ts';
import { runThrowaway } from '../../images/throwaway-container.ts';
import type { VersionInImage } from './find-node.ts';

export interface TriedIn {
  readonly engine: Engine;
  readonly imageId: string;
  /** Owner of the project, the user of its sandboxes. */
  readonly uid: number;
  readonly gid: number;
}

const PLACE = '/opt/tried';
const MAX_CHARACTERS = 100;
const MIB = 1024 * 1024;
/** Also starts a thread and another process of itself, as test runners do. */
const SCRIPT = `const { Worker } = require('node:worker_threads');
const { execFileSync } = require('node:child_process');
new Worker('', { eval: true }).on('exit', () => console.log(execFileSync(process.execPath, ['--version']).toString().trim()));`;

/** Tries a program in a container of the images, like in a sandbox, so that another C library or processor is noticed. */
export function versionInImage({ engine, imageId, uid, gid }: TriedIn): VersionInImage {
  return async (directory, program) => {
    const { exitCode, stdout } = await runThrowaway(engine, {
      image: imageId,
      command: [`${PLACE}/${program}`, '-e', SCRIPT],
      user: `${uid}:${gid}`,
      hostConfig: {
        Mounts: [{ Type: 'bind', Source: directory, Target: PLACE, ReadOnly: true }],
        Memory: 512 * MIB,
        MemorySwap: 512 * MIB,
        PidsLimit: 100,
      },
      timeoutMs: 30_000,
    }).catch(() => ({ exitCode: null, stdout: '' }));
    return exitCode === 0 ? stdout.trim().slice(0, MAX_CHARACTERS) : null;
  };
}
