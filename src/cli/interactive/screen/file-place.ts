import { realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FilePlace } from '../../../tui/text/file-address.ts';

/** Names of machines that an address takes as they are. */
const HOST = /^[A-Za-z0-9.-]+$/;

/** The project's files for the terminal. By the name of the machine it knows a file of another one; VS Code takes a name for a share of the network. */
export function filePlace(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  machine: string = hostname(),
): FilePlace {
  return {
    root,
    host: env['TERM_PROGRAM'] !== 'vscode' && HOST.test(machine) ? machine : '',
    hasFile: (path) => isPlainFile(root, path),
  };
}

/** Whether the file exists, and neither it nor a directory above it is a link. `root` is a real path. */
function isPlainFile(root: string, path: string): boolean {
  try {
    const real = realpathSync(join(root, path));
    return real === join(root, path) && statSync(real).isFile();
  } catch {
    return false;
  }
}
