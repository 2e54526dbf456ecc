import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { IN_L2 } from '../../src/contracts/sandbox/container-paths.ts';
import type { ModelEvent, ModelRequest } from '../../src/contracts/model/model.ts';
import { modelEventSchema } from '../../src/contracts/model/model.ts';
import { openProviderSockets } from '../../src/host/secrets/index.ts';
import type { ServiceSocketEvent, ProviderEndpoint } from '../../src/host/secrets/index.ts';
import type { RpcPeer } from '../../src/ipc/index.ts';
import { servePeers } from '../../src/ipc/index.ts';

const repository = join(import.meta.dirname, '../..');

/** Bundles one provider program as the build does: a single file. */
export async function bundleProvider(name: 'anthropic' | 'openai' | 'replay', directory: string): Promise<string> {
  const outfile = join(directory, `${name}.mjs`);
  await build({
    entryPoints: [join(repository, `src/providers/${name}/main.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['koffi', '*.node'],
    define: {
      __FLUFFY_VERSION__: '"0.0.0-test"',
      __dirname: 'import.meta.dirname',
      __filename: 'import.meta.filename',
    },
    banner: { js: "import { createRequire as __r } from 'node:module';\nconst require = __r(import.meta.url);" },
    logLevel: 'silent',
  });
  return outfile;
}

export interface ProviderChild {
  readonly socketEvents: readonly ServiceSocketEvent[];
  /** What the program wrote, so far. */
  output(): string;
  readonly pid: number | undefined;
  chat(request: ModelRequest, options?: { readonly onEvent?: (event: ModelEvent) => void }): Promise<ModelEvent[]>;
  /** Ends the current request: `chat` rejects once the program has let go of it. */
  cancel(): void;
  /** Leaves as the kernel does, and resolves to the program's exit code. */
  close(): Promise<number | null>;
}

export interface ProviderChildOptions {
  readonly bundle: string;
  /** Null for a program without service sockets. */
  readonly endpoint: ProviderEndpoint | null;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a bundled provider as a process of its own, with a kernel's socket and the host's real service sockets as its only neighbours. */
export async function startProviderChild(options: ProviderChildOptions): Promise<ProviderChild> {
  const root = await mkdtemp(join(tmpdir(), 'fl-'));
  const kernelSocket = `${root}${IN_L2.kernelSocket}`;
  const socketsDirectory = dirname(`${root}${IN_L2.egressSocket}`);
  await mkdir(dirname(kernelSocket), { recursive: true });
  await mkdir(socketsDirectory, { recursive: true });
  const socketEvents: ServiceSocketEvent[] = [];
  const sockets =
    options.endpoint === null
      ? null
      : await openProviderSockets({
          directory: socketsDirectory,
          endpoint: options.endpoint,
          keys: {
            env: options.env ?? {},
            keysDirectory: join(root, 'keys'),
            keyring: {
              read: () => Promise.resolve({ kind: 'unavailable' }),
              write: () => Promise.resolve('unavailable'),
            },
          },
          log: (event) => socketEvents.push(event),
        });
  const connected = Promise.withResolvers<RpcPeer>();
  let listenTo: (event: ModelEvent) => void = () => undefined;
  const kernel = await servePeers(kernelSocket, {
    mode: 0o600,
    maxTotal: 1,
    kernelVersion: '0.0.0-test',
    onPeer: (peer) => {
      peer.onEvent('model.event', modelEventSchema, (event) => listenTo(event));
      connected.resolve(peer);
    },
  });
  const child = spawn(process.execPath, ['--v8-pool-size=1', options.bundle, root], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const text = (): string => Buffer.concat(output).toString('utf8');
  const exited = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const early = exited.then((code) => Promise.reject(new Error(`the provider ended with ${code}: ${text()}`)));
  early.catch(() => undefined);
  const peer = await Promise.race([connected.promise, early]);
  return {
    socketEvents,
    output: text,
    pid: child.pid,
    cancel: () => void peer.notify('model.cancel', {}),
    chat: async (request, { onEvent } = {}) => {
      const events: ModelEvent[] = [];
      listenTo = (event) => {
        events.push(event);
        onEvent?.(event);
      };
      await peer.request('model.chat', request);
      return events;
    },
    close: async () => {
      peer.close();
      const code = await exited;
      await kernel.close();
      await sockets?.close();
      await rm(root, { recursive: true, force: true });
      return code;
    },
  };
}
