import type { IsolatedWorker } from './extension-host.ts';

/** As much of Deno as is used; its own types would be for the whole program, which otherwise is the same as every other. */
interface DenoWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { readonly message: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

interface DenoGlobals {
  readonly Worker: new (
    url: string,
    options: { readonly type: 'module'; readonly name: string; readonly deno: { readonly permissions: 'none' } },
  ) => DenoWorker;
  readonly Deno: {
    readonly permissions: {
      revoke(
        descriptor:
          | { readonly name: 'read' | 'write'; readonly path?: string }
          | { readonly name: 'net'; readonly host?: string },
      ): Promise<{ readonly state: string }>;
    };
  };
}

const { Deno, Worker } = globalThis as unknown as DenoGlobals;

/** Beside this program in the image. */
const WORKER_URL = new URL('./extension-worker.mjs', import.meta.url).href;

export function isolatedWorker(name: string): IsolatedWorker {
  const worker = new Worker(WORKER_URL, { type: 'module', name, deno: { permissions: 'none' } });
  return {
    postMessage: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.onmessage = ({ data }) => listener(data);
      worker.onmessageerror = () => listener(null);
    },
    onError: (listener) => {
      worker.onerror = (event) => {
        // Otherwise it would end this program too.
        event.preventDefault();
        listener(event.message);
      };
    },
    terminate: () => worker.terminate(),
  };
}

/** The connection is made and the workers' program is read: from here on nothing needs a permission. */
export async function revokeAll(): Promise<void> {
  for (const name of ['read', 'write', 'net'] as const) {
    const { state } = await Deno.permissions.revoke({ name });
    if (state !== 'prompt' && state !== 'denied') throw new Error(`the permission ${name} could not be given back`);
  }
}
