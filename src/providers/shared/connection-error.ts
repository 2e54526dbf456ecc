import type { AttemptFailure } from './attempt.ts';
import { failed } from './attempt.ts';
import { EgressDenied, EndpointUnreachable } from './open-tunnel.ts';
import { UnexpectedAnswer } from './unexpected-answer.ts';

const MAX_CAUSES = 8;

/** Classifies an exception below the vendor's protocol: no connection, a lost one, no permission, an unreadable answer. */
export function classifyConnectionError(error: unknown): AttemptFailure {
  const chain = causes(error);
  const denied = chain.find((cause) => cause instanceof EgressDenied);
  if (denied !== undefined) return failed('egress_denied', denied.message);
  const unexpected = chain.find((cause) => cause instanceof UnexpectedAnswer);
  if (unexpected !== undefined) return failed('protocol', unexpected.message);
  if (chain.some((cause) => cause instanceof SyntaxError)) {
    return failed('protocol', 'the answer contains an event that is not valid JSON');
  }
  const deepest = chain.at(-1);
  // An answer of another form than the protocol has.
  if (deepest instanceof TypeError || deepest instanceof RangeError)
    return failed('protocol', `the answer could not be understood: ${deepest.message}`);
  const unreachable = chain.find((cause) => cause instanceof EndpointUnreachable);
  if (unreachable !== undefined) return failed('connection', unreachable.message, { retryable: unreachable.temporary });
  const certificate = chain.find((cause) => isCertificateProblem(cause));
  if (certificate !== undefined) {
    return failed('connection', `the server's certificate is not trusted: ${certificate.message}`);
  }
  return failed('connection', `the connection failed: ${deepest?.message ?? 'no reason given'}`, { retryable: true });
}

function isCertificateProblem(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT)/.test(code);
}

function causes(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error && chain.length < MAX_CAUSES; current = current.cause) {
    chain.push(current);
  }
  return chain;
}
