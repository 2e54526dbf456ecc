import type { Sha256 } from '../../../contracts/ids.ts';
import { looksLikeOwnTrailer } from '../../../lib/own-trailer.ts';

/** The evidence that a commit's message claims. */
export type Trailers =
  | { readonly kind: 'none' }
  | { readonly kind: 'claimed'; readonly session: string; readonly mode: string; readonly evidence: Sha256 }
  /** A line looks like a Fluffy trailer, but not in the form that fluffy writes. */
  | { readonly kind: 'malformed'; readonly reason: string };

const OWN_BLOCK =
  /(?:^|\n)Fluffy-Session: (s_[a-z0-9]{8,40})\nFluffy-Mode: ([a-z-]+)\nFluffy-Evidence: ([0-9a-f]{64})\n$/;
const TRAILERS = 3;

/** Every character at which some tool ends a line. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/**
 * Reads the trailers of a message. They count only in the form that fluffy writes, at the very end, each once: two tools that choose differently
 * between two trailers must not see two commits.
 */
export function readTrailers(message: Buffer): Trailers {
  const text = message.toString('utf8');
  const lines = text.split(LINE_END).filter(looksLikeOwnTrailer);
  if (lines.length === 0) return { kind: 'none' };
  if (!Buffer.from(text).equals(message)) return malformed('the message is not UTF-8');
  const found = OWN_BLOCK.exec(text);
  if (found === null) return malformed('the Fluffy trailers are not as fluffy writes them, or not at the end');
  if (lines.length !== TRAILERS) return malformed('a Fluffy trailer, or something that looks like one, is there twice');
  const [, session = '', mode = '', evidence = ''] = found;
  return { kind: 'claimed', session, mode, evidence: evidence as Sha256 };
}

function malformed(reason: string): Trailers {
  return { kind: 'malformed', reason };
}
