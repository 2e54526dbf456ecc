import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Machine } from '../../../src/host/setup/machine.ts';

export interface FakeMachine extends Machine {
  /** What set-up ran, in order. */
  readonly ran: string[];
}

export interface FakeMachineOptions {
  readonly programs?: readonly string[];
  readonly isRoot?: boolean;
  readonly systemd?: boolean;
  /** What a command does, and its exit code; 0 by default. */
  /** What a daemon writes, and whether it then goes on; a daemon that ends at once by default. */
  readonly onDaemon?: (command: string) => Promise<{ readonly log: string; readonly goesOn: boolean }>;
  readonly onRun?: (command: string) => number | Promise<number>;
}

export function fakeMachine({
  programs = [],
  isRoot = true,
  systemd = true,
  onRun,
  onDaemon,
}: FakeMachineOptions): FakeMachine {
  const ran: string[] = [];
  return {
    system: { platform: 'linux', distribution: 'debian', systemd },
    isRoot,
    has: (program) => programs.includes(program),
    async run(command) {
      ran.push(command.join(' '));
      return (await onRun?.(command.join(' '))) ?? 0;
    },
    startDaemon(command, logPath) {
      ran.push(command.join(' '));
      const begun = onDaemon?.(command.join(' ')) ?? Promise.resolve({ log: '', goesOn: false });
      let kill = (): void => undefined;
      const killed = new Promise<void>((resolve) => (kill = resolve));
      const ended = begun.then(async ({ log, goesOn }) => {
        writeFileSync(logPath, log);
        if (goesOn) await killed;
      });
      return { pid: 4242, ended, kill };
    },
    ran,
  };
}

/** Something that answers a ping as an engine does. */
export async function fakeEngine(socketPath: string): Promise<Server> {
  const server = createServer((_request, response) => response.setHeader('Api-Version', '1.43').end('OK'));
  server.listen(socketPath);
  await once(server, 'listening');
  return server;
}
