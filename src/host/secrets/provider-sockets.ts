import { join } from 'node:path';
import type { ServiceSockets } from '../../contracts/ports/host-services.ts';
import type { EgressEvent, HostRule } from '../egress-gate/index.ts';
import { attemptLog, openEgressGate } from '../egress-gate/index.ts';
import { extraCertificates } from './extra-ca.ts';
import type { KeySources } from './key-store.ts';
import { findKey } from './key-store.ts';
import type { ProviderEndpoint } from './provider-endpoints.ts';
import { openSecretSocket } from './secret-socket.ts';

export type ServiceSocketEvent =
  | EgressEvent
  | { readonly kind: 'key-handed-over'; readonly provider: string }
  | { readonly kind: 'registry-handed-over'; readonly manager: string };

export interface ProviderSocketsOptions {
  /** Exists on the host only, one per sandbox, mounted only into that sandbox. It must exist. */
  readonly directory: string;
  readonly endpoint: ProviderEndpoint;
  readonly keys: KeySources;
  /** Called for each decision; it never gets a key or content. */
  readonly log: (event: ServiceSocketEvent) => void;
}

/**
 * Opens both service sockets of a provider's sandbox: access to its only endpoint, and the key for it. They are opened together, so that a key can
 * only be sent to its own endpoint. Throws like `findKey`, `extraCertificates` and the sockets; then nothing stays open.
 */
export async function openProviderSockets(options: ProviderSocketsOptions): Promise<ServiceSockets> {
  const { directory, endpoint, keys, log } = options;
  const found = await findKey(endpoint, keys);
  const extraCa = await extraCertificates(keys.env);
  const grant = {
    wire: endpoint.wire,
    base_url: endpoint.baseUrl.url,
    api_key: found.kind === 'found' ? found.key : null,
    extra_ca: [...extraCa],
  };
  return openGrantedSockets(directory, [endpoint.baseUrl.rule], grant, {
    egress: log,
    handedOver: () => log({ kind: 'key-handed-over', provider: endpoint.name }),
  });
}

/** Opens both service sockets of a sandbox: access to some hosts, and its grant for them. If it rejects, nothing stays open. */
export async function openGrantedSockets(
  directory: string,
  allow: readonly HostRule[],
  grant: object,
  on: { readonly egress: (event: EgressEvent) => void; readonly handedOver: () => void },
): Promise<ServiceSockets> {
  const egress = await openEgressSocket(directory, allow, on.egress);
  try {
    const secret = await openSecretSocket(join(directory, 'secret.sock'), grant, on.handedOver);
    return {
      attempts: egress.attempts,
      close: async () => void (await Promise.allSettled([egress.close(), secret.close()])),
    };
  } catch (error) {
    await egress.close();
    throw error;
  }
}

/** The service socket of a sandbox without a key: an integration test, with the hosts that the host's own policy allows. */
export async function openEgressSocket(
  directory: string,
  allow: readonly HostRule[],
  log: (event: EgressEvent) => void,
): Promise<ServiceSockets> {
  const { note, attempts } = attemptLog();
  const onDecision = (event: EgressEvent): void => {
    note(event);
    log(event);
  };
  const gate = await openEgressGate({ socketPath: join(directory, 'egress.sock'), allow, onDecision });
  return { attempts, close: async () => void (await Promise.allSettled([gate.close()])) };
}
