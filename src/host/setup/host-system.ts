import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostSystem } from '../../bootstrap/repair-commands.ts';
import { findProgram, programDirectories } from '../programs/find-program.ts';

/** Reads the kind of this machine; unknown values are empty. */
export function readHostSystem(path: string | undefined, root = '/'): HostSystem {
  const file = join(root, 'etc/os-release');
  const release = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].map(([, name = '']) => name.toLowerCase());
  const directories = programDirectories(path ?? '', root);
  return {
    platform: process.platform,
    distribution: names.join(' '),
    systemd: existsSync(join(root, 'run/systemd/system')),
    root,
    find: (program) => findProgram(program, directories),
  };
}
