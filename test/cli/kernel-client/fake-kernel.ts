import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { requests } from '../../../src/contracts/session/session-protocol.ts';
import type { RequestMethod } from '../../../src/contracts/session/session-protocol.ts';
import { RpcFailure, servePeers } from '../../../src/ipc/index.ts';
import type { Listener, RpcPeer } from '../../../src/ipc/index.ts';

export interface Asked {
  readonly method: RequestMethod;
  readonly params: Record<string, unknown>;
  readonly peer: RpcPeer;
}

/** Answers one request; a death before it returns loses the answer. */
export type Script = (asked: Asked, kernel: FakeKernel) => unknown;

/** A kernel's socket without a kernel: what was asked outlives its deaths, as the real one's database does. */
export class FakeKernel {
  readonly socket: string;
  readonly asked: Asked[] = [];
  readonly #directory: string;
  readonly #script: Script;
  #listener: Listener | null = null;

  private constructor(directory: string, script: Script) {
    this.#directory = directory;
    this.socket = join(directory, 'cli.sock');
    this.#script = script;
  }

  static async start(script: Script): Promise<FakeKernel> {
    const kernel = new FakeKernel(await mkdtemp(join(tmpdir(), 'fluffy-client-')), script);
    await kernel.live();
    return kernel;
  }

  async live(): Promise<void> {
    this.#listener = await servePeers(this.socket, {
      mode: 0o600,
      kernelVersion: '0',
      onPeer: (peer) => {
        for (const method of Object.keys(requests) as RequestMethod[]) {
          peer.onRequest(method, requests[method].params, (params) => {
            const asked = { method, params: params as Record<string, unknown>, peer };
            this.asked.push(asked);
            return this.#script(asked, this);
          });
        }
      },
    });
  }

  /** As kill -9 would: every connection is cut, nothing more is said. */
  async die(): Promise<void> {
    await this.#listener?.close();
  }

  /** Dies and is started again, and never answers what it was asked. */
  async dieAndComeBack(): Promise<never> {
    await this.die();
    await this.live();
    return new Promise<never>(() => undefined);
  }

  methods(): RequestMethod[] {
    return this.asked.map(({ method }) => method);
  }

  async remove(): Promise<void> {
    await this.die();
    await rm(this.#directory, { recursive: true });
  }
}

export function emit(peer: RpcPeer, event: Pick<FluffyEvent, 'seq' | 'type'> & Record<string, unknown>): void {
  peer.notify('session.event', { event: { session_id: 's_aaaaaaaa', ts: 1, ...event } });
}

export const STARTED = {
  type: 'session.started',
  project: '/p',
  mode: 'strict',
  model: 'replay/x',
  tools: [],
  policy_hash: '0',
  images: {},
} as const;

export function refusal(code: string): RpcFailure {
  return RpcFailure.refused(code, code);
}
