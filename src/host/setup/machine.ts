import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostSystem } from '../../bootstrap/repair-commands.ts';
import { programDirectories } from '../programs/find-program.ts';

/** The machine that set-up reads and changes; tests replace it by a recording one. */
export interface Machine {
  readonly system: HostSystem;
  readonly isRoot: boolean;
  has(program: string): boolean;
  /**
   * Runs a command to its end with its output on standard error; resolves to its exit code (127: could not be started; the reason is on standard
   * error).
   */
  run(command: readonly string[]): Promise<number>;
  /** Starts a program in a session of its own, so that it outlives this terminal, with its output in `logPath` (emptied first). */
  startDaemon(command: readonly string[], logPath: string): Daemon;
}

export interface Daemon {
  /** `undefined` if it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when it has ended or could not be started. */
  readonly ended: Promise<DaemonEnd>;
  kill(): void;
}

/** Why a daemon does not run. */
export type DaemonEnd =
  | { readonly kind: 'not-started'; readonly why: string }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string };

export function realMachine(system: HostSystem, path: string | undefined): Machine {
  const environment = { ...process.env, PATH: programDirectories(path ?? '', system.root).join(':') };
  return {
    system,
    isRoot: process.getuid?.() === 0,
    has: (program) => system.find(program) !== undefined,
    run: ([program = '', ...args]) =>
      new Promise((resolve) => {
        const child = spawn(program, args, {
          // Standard input is inherited, because sudo may have to ask for a password.
          stdio: ['inherit', process.stderr, process.stderr],
          env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
        });
        child.once('error', ({ message }) => {
          process.stderr.write(`${message}\n`);
          resolve(127);
        });
        child.once('exit', (code) => resolve(code ?? 128));
      }),
    startDaemon([program = '', ...args], logPath) {
      mkdirSync(dirname(logPath), { recursive: true, mode: 0o700 });
      const log = openSync(logPath, 'w', 0o600);
      try {
        const child = spawn(program, args, { detached: true, cwd: '/', stdio: ['ignore', log, log], env: environment });
        child.unref();
        const ended = new Promise<DaemonEnd>((resolve) => {
          child.once('error', ({ message }) => resolve({ kind: 'not-started', why: message }));
          child.once('exit', (code, signal) =>
            resolve(code === null ? { kind: 'killed', signal: signal ?? 'SIGKILL' } : { kind: 'exited', code }),
          );
        });
        return { pid: child.pid, ended, kill: () => void child.kill('SIGTERM') };
      } finally {
        closeSync(log);
      }
    },
  };
}

/** The command to run as root; `undefined` if this user can't become root. */
export function asRoot(machine: Machine, command: readonly string[]): readonly string[] | undefined {
  if (machine.isRoot) return command;
  return machine.has('sudo') ? ['sudo', ...command] : undefined;
}
