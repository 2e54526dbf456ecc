import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { LABELS } from '../../../src/contracts/sandbox/guard-api.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';

export function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Ids of a project's containers, of every state. */
export function containersOf(root: string, role?: string): string[] {
  const filters = [
    '--filter',
    `label=${LABELS.project}=${projectIdOf(root)}`,
    ...(role === undefined ? [] : ['--filter', `label=${LABELS.role}=${role}`]),
  ];
  return lines(docker('ps', '--all', '--quiet', '--no-trunc', ...filters));
}

export function volumesOf(root: string): string[] {
  return lines(docker('volume', 'ls', '--quiet', '--filter', `label=${LABELS.project}=${projectIdOf(root)}`));
}

/** By the one argument that a supervisor has, in which its project is. */
export function supervisorsOf(root: string): number[] {
  const argument = `"project_id":${JSON.stringify(projectIdOf(root))}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLineOf(pid).includes(argument))
    .map(Number);
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
