import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** How long one of several addresses may stay silent before the next is tried; the last one gets the rest of the time. */
const ADDRESS_TIMEOUT_MS = 1_500;

/**
 * Connects only to the vetted addresses. The resolver is not asked again, so an answer that changes between check and connection (rebinding) has no
 * effect.
 */
export function dialVetted(addresses: readonly string[], port: number): Socket {
  const vetted = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return connect({
    host: 'vetted.invalid',
    port,
    allowHalfOpen: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    lookup: (_host, _options, callback) => callback(null, vetted),
  });
}
