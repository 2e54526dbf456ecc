import { existsSync, readFileSync } from 'node:fs';
import type { HostSystem } from './mending-commands.ts';

/** Reads what kind of machine this is; what can't be known is left empty. */
export function readHostSystem(): HostSystem {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].map(([, name = '']) => name.toLowerCase());
  return { platform: process.platform, distribution: names.join(' '), systemd: existsSync('/run/systemd/system') };
}
