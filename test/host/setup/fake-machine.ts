import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
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
  readonly onRun?: (command: string) => number | Promise<number>;
}

export function fakeMachine({ programs = [], isRoot = true, systemd = true, onRun }: FakeMachineOptions): FakeMachine {
  const ran: string[] = [];
  return {
    system: { platform: 'linux', distribution: 'debian', systemd },
    isRoot,
    has: (program) => programs.includes(program),
    async run(command) {
      ran.push(command.join(' '));
      return (await onRun?.(command.join(' '))) ?? 0;
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
