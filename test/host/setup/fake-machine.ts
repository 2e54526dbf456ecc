import { writeFileSync } from 'node:fs';
import type { FixtureMachine } from '../../support/machine-states.ts';
import type { DaemonEnd, Machine } from '../../../src/host/setup/machine.ts';

export interface FakeMachine extends Machine {
  /** What set-up ran, in order. */
  readonly ran: string[];
}

export interface FakeDaemon {
  readonly log: string;
  readonly goesOn: boolean;
  /** How it ends, where it does not go on; exit code 1 by default. */
  readonly end?: DaemonEnd;
}

export interface FakeMachineOptions {
  /** What it has beside `programs`. */
  readonly fixture?: FixtureMachine;
  readonly programs?: readonly string[];
  readonly isRoot?: boolean;
  readonly systemd?: boolean;
  /** What a daemon writes, and whether it then goes on; a daemon that ends at once by default. */
  readonly onDaemon?: (command: string) => Promise<FakeDaemon>;
  /** What a command does, and its exit code; 0 by default. */
  readonly onRun?: (command: string) => number | Promise<number>;
}

const EMPTY = { platform: 'linux', distribution: 'debian', root: '/nowhere', find: () => undefined };

export function fakeMachine({
  fixture,
  programs = [],
  isRoot = true,
  systemd = true,
  onRun,
  onDaemon,
}: FakeMachineOptions): FakeMachine {
  const ran: string[] = [];
  return {
    system: fixture?.system('/nowhere', systemd) ?? { ...EMPTY, systemd },
    isRoot,
    has: (program) => programs.includes(program),
    async run(command) {
      ran.push(command.join(' '));
      return (await onRun?.(command.join(' '))) ?? 0;
    },
    startDaemon(command, logPath) {
      ran.push(command.join(' '));
      const begun = onDaemon?.(command.join(' ')) ?? Promise.resolve<FakeDaemon>({ log: '', goesOn: false });
      let kill = (): void => undefined;
      const killed = new Promise<void>((resolve) => (kill = resolve));
      const ended = begun.then(async ({ log, goesOn, end = { kind: 'exited', code: 1 } }): Promise<DaemonEnd> => {
        writeFileSync(logPath, log);
        if (goesOn) await killed;
        return goesOn ? { kind: 'killed', signal: 'SIGTERM' } : end;
      });
      return { pid: 4242, ended, kill };
    },
    ran,
  };
}
