import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostSystem } from '../../bootstrap/mending-commands.ts';

/** The machine as set-up sees and changes it; tests put a recording one in its place. */
export interface Machine {
  readonly system: HostSystem;
  readonly isRoot: boolean;
  has(program: string): boolean;
  /** Runs a command to its end with its output on our standard error; resolves to its exit code (127: could not be started). */
  run(command: readonly string[]): Promise<number>;
  /** Starts a program in a session of its own, so that it outlives this terminal, with its output in `logPath` (emptied first). */
  startDaemon(command: readonly string[], logPath: string): Daemon;
}

export interface Daemon {
  /** `undefined` when it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<void>;
  kill(): void;
}

/** Programs of the system are looked for where they are installed, too: /usr/sbin is on few users' PATH. */
const SYSTEM_DIRECTORIES = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

export function realMachine(system: HostSystem, path: string): Machine {
  const directories = [...path.split(':').filter((directory) => directory.startsWith('/')), ...SYSTEM_DIRECTORIES];
  const environment = { ...process.env, PATH: directories.join(':') };
  return {
    system,
    isRoot: process.getuid?.() === 0,
    has: (program) => directories.some((directory) => isExecutable(join(directory, program))),
    run: ([program = '', ...args]) =>
      new Promise((resolve) => {
        const child = spawn(program, args, {
          // Standard input stays, because sudo may have to ask for a password.
          stdio: ['inherit', process.stderr, process.stderr],
          env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
        });
        child.once('error', () => resolve(127));
        child.once('exit', (code) => resolve(code ?? 128));
      }),
    startDaemon([program = '', ...args], logPath) {
      mkdirSync(dirname(logPath), { recursive: true, mode: 0o700 });
      const log = openSync(logPath, 'w', 0o600);
      try {
        const child = spawn(program, args, { detached: true, cwd: '/', stdio: ['ignore', log, log], env: environment });
        child.unref();
        const ended = new Promise<void>((resolve) => {
          child.once('error', () => resolve());
          child.once('exit', () => resolve());
        });
        return { pid: child.pid, ended, kill: () => void child.kill('SIGTERM') };
      } finally {
        closeSync(log);
      }
    },
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The command as root would run it, or `undefined` when this user can't become root. */
export function asRoot(machine: Machine, command: readonly string[]): readonly string[] | undefined {
  if (machine.isRoot) return command;
  return machine.has('sudo') ? ['sudo', ...command] : undefined;
}
