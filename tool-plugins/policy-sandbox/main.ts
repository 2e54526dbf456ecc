import { IN_L2 } from '../../src/contracts/sandbox/container-paths.ts';
import {
  EVALUATE_METHOD,
  LOAD_LIMIT_MS,
  LOAD_METHOD,
  evaluateRequestSchema,
  loadRequestSchema,
} from '../../src/contracts/policy-extension.ts';
import type { EvaluateAnswer, LoadAnswer } from '../../src/contracts/policy-extension.ts';
import { connectPeer } from '../../src/ipc/index.ts';
import { isolatedWorker, revokeAll } from './deno-runtime.ts';
import { ExtensionHost } from './extension-host.ts';

/**
 * The program of `policy-sandbox`: holds the kernel's socket, and each extension in a worker that has no permission. After the sources have come
 * it gives its own permissions back. It ends when the kernel hangs up; what is not to be gone on with, the kernel ends from outside.
 */
const hosts: ExtensionHost[] = [];
let loaded = false;

const peer = await connectPeer(IN_L2.kernelSocket, {
  hello: { plugin_name: 'policy-sandbox', plugin_version: '1' },
  onPeer: (connected) => {
    connected.onRequest(LOAD_METHOD, loadRequestSchema, async ({ extensions }): Promise<LoadAnswer> => {
      if (loaded) throw new Error('the extensions have been loaded before');
      loaded = true;
      const loading = extensions.map(({ name, source }) => {
        const host = new ExtensionHost(name, isolatedWorker(name));
        hosts.push(host);
        return host.load(source, LOAD_LIMIT_MS);
      });
      await Promise.all(loading);
      await revokeAll();
      return { extensions: hosts.map(({ name, failure }) => ({ name, failure })) };
    });
    connected.onRequest(EVALUATE_METHOD, evaluateRequestSchema, async (asked): Promise<EvaluateAnswer> => {
      const { request, names, limit_ms } = asked;
      const answering = hosts.filter(({ name }) => names.includes(name));
      return { answers: await Promise.all(answering.map((host) => host.evaluate(request, limit_ms))) };
    });
  },
});
await peer.closed;
process.exit(0);
