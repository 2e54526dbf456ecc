import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostSystem } from '../../src/bootstrap/repair-commands.ts';
import { readHostSystem } from '../../src/host/setup/host-system.ts';

/** What a machine has, by paths below its root. */
export interface MachineState {
  /** Files that can be executed; they do nothing. */
  readonly programs?: readonly string[];
  /** Sockets of engines, with the API version that each reports; null: something else than an engine listens. */
  readonly engines?: Readonly<Record<string, string | null>>;
  /** Files where a socket should be: nothing listens. */
  readonly deadSockets?: readonly string[];
  /** Those of these sockets that only root may open. */
  readonly closed?: readonly string[];
}

/** A directory in the place of `/`. */
export interface FixtureMachine {
  readonly root: string;
  /** A Debian, for a user whose PATH is this. */
  system(path: string, systemd: boolean): HostSystem;
  add(state: MachineState): Promise<void>;
  remove(): Promise<void>;
}

export async function makeFixtureMachine(state: MachineState = {}): Promise<FixtureMachine> {
  const root = await mkdtemp(join(tmpdir(), 'fluffy-machine-'));
  const closing: (() => unknown)[] = [];
  const place = async (path: string): Promise<string> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  const add = async ({ programs = [], engines = {}, deadSockets = [], closed = [] }: MachineState): Promise<void> => {
    for (const path of programs) await writeFile(await place(path), '#!/bin/sh\n', { mode: 0o755 });
    for (const path of deadSockets) await writeFile(await place(path), '');
    for (const [path, version] of Object.entries(engines)) {
      const server = createServer((_request, response) => {
        if (version !== null) response.setHeader('Api-Version', version);
        response.end('OK');
      });
      server.listen(await place(path));
      closing.push(() => server.close());
      await once(server, 'listening');
    }
    for (const path of [...deadSockets, ...Object.keys(engines)])
      await chmod(join(root, path), closed.includes(path) ? 0 : 0o666);
  };
  // Whoever is to be refused must get as far as the socket.
  await chmod(root, 0o755);
  await add(state);
  return {
    root,
    system: (path, systemd) => ({ ...readHostSystem(path, root), platform: 'linux', distribution: 'debian', systemd }),
    add,
    async remove() {
      for (const close of closing) close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
