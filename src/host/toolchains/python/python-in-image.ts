import { type TriedIn, saidInImage } from '../said-in-image.ts';
import type { PythonInImage } from './find-requested-python.ts';

/** Also loads what is linked with other libraries, and what every Python is built with. */
const SCRIPT = `import sys, json, socket, threading, zlib
thread = threading.Thread(target=lambda: print('%d.%d.%d' % sys.version_info[:3]))
thread.start()
thread.join()`;

/** Tries an interpreter in a container of the images, at its own place. */
export function pythonInImage(tried: TriedIn): PythonInImage {
  return (program, mounts) =>
    saidInImage(
      tried,
      [program, '-I', '-B', '-c', SCRIPT],
      mounts.map((path) => ({ source: path, target: path })),
    );
}
