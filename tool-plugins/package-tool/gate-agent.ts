import { Agent } from 'node:http';
import type { AgentOptions, ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls, rootCertificates } from 'node:tls';
import { throughGate } from '../sdk/through-gate.ts';
import type { PackageWork } from './package-work.ts';

/** The egress gate has a maximum of open connections. */
const AT_ONCE = 12;

/** Connections through the egress gate that are used again: a handshake for each of some hundred archives takes longer than the archives. */
class GateAgent extends Agent {
  readonly #work: Pick<PackageWork, 'gatePath' | 'grant'>;
  readonly #isTls: boolean;

  constructor(work: Pick<PackageWork, 'gatePath' | 'grant'>, isTls: boolean, options: AgentOptions) {
    super(options);
    this.#work = work;
    this.#isTls = isTls;
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    callback: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { gatePath, grant } = this.#work;
    const failed = (error: unknown): void => callback(error as Error, undefined as unknown as Duplex);
    throughGate(gatePath, `${host ?? ''}:${port ?? ''}`).then((socket) => {
      if (!this.#isTls) return callback(null, socket);
      const secure = connectTls({
        socket,
        ...(host === null || host === undefined ? {} : { servername: host }),
        ca: [...rootCertificates, ...grant.extra_ca],
        ALPNProtocols: ['http/1.1'],
      });
      secure.once('error', failed);
      secure.once('secureConnect', () => {
        secure.off('error', failed);
        callback(null, secure);
      });
    }, failed);
  }
}

/** One agent for each of the two kinds of connection, and their end. */
export interface GateAgents {
  for(url: URL): Agent;
  destroy(): void;
}

export function openGateAgent(work: Pick<PackageWork, 'gatePath' | 'grant'>): GateAgents {
  const options = { keepAlive: true, maxSockets: AT_ONCE, maxTotalSockets: AT_ONCE };
  const [plain, secure] = [new GateAgent(work, false, options), new GateAgent(work, true, options)];
  return {
    for: (url) => (url.protocol === 'https:' ? secure : plain),
    destroy: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}
