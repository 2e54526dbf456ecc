import { runThrowaway } from '../../images/throwaway-container.ts';
import type { TriedIn } from '../node/version-in-image.ts';
import type { PythonInImage } from './find-requested-python.ts';

const MAX_CHARACTERS = 100;
const MIB = 1024 * 1024;
/** Also loads what is linked with other libraries, and what every Python is built with. */
const SCRIPT = `import sys, json, socket, threading, zlib
thread = threading.Thread(target=lambda: print('%d.%d.%d' % sys.version_info[:3]))
thread.start()
thread.join()`;

/** Tries an interpreter in a container of the images, like in a sandbox, so that another C library or processor is noticed. */
export function pythonInImage({ engine, imageId, uid, gid }: TriedIn): PythonInImage {
  return async (program, mounts) => {
    const { exitCode, stdout } = await runThrowaway(engine, {
      image: imageId,
      command: [program, '-I', '-B', '-c', SCRIPT],
      user: `${uid}:${gid}`,
      hostConfig: {
        Mounts: mounts.map((path) => ({ Type: 'bind', Source: path, Target: path, ReadOnly: true })),
        Memory: 512 * MIB,
        MemorySwap: 512 * MIB,
        PidsLimit: 100,
      },
      timeoutMs: 30_000,
    }).catch(() => ({ exitCode: null, stdout: '' }));
    return exitCode === 0 ? stdout.trim().slice(0, MAX_CHARACTERS) : null;
  };
}
