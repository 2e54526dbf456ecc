import type { RpcPeer } from '../../ipc/index.ts';

export interface AttachmentsOptions {
  /** Time without an attached client after which `onIdle` is called. */
  readonly idleMs: number;
  /** Number of sessions with a current run; null if the kernel does not say. */
  readonly runningSessions: () => Promise<number | null>;
  readonly onIdle: () => void;
}

/** The clients of the supervisor: it may end when no client is attached and no session has run for `idleMs`. */
export interface Attachments {
  readonly count: number;
  /** Counts `peer` until its connection ends. */
  add(peer: RpcPeer): void;
  notifyAll(method: string, params: unknown): void;
  /** Starts waiting for the first client. */
  watch(): void;
  stop(): void;
}

export function createAttachments(options: AttachmentsOptions): Attachments {
  const peers = new Set<RpcPeer>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const rest = (): void => {
    clearTimeout(timer);
    if (!stopped && peers.size === 0) timer = setTimeout(() => void endIfIdle(), options.idleMs);
  };
  const endIfIdle = async (): Promise<void> => {
    const running = await options.runningSessions();
    if (peers.size > 0 || stopped) return;
    // A kernel that gives no pong is the bootstrap's business; nobody waits for it here.
    if (running === null || running === 0) options.onIdle();
    else rest();
  };

  return {
    get count() {
      return peers.size;
    },
    add(peer) {
      clearTimeout(timer);
      peers.add(peer);
      void peer.closed.then(() => {
        peers.delete(peer);
        rest();
      });
    },
    notifyAll(method, params) {
      for (const peer of peers) if (peer.open) peer.notify(method, params);
    },
    watch: rest,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
