import type { Sha256 } from '../../../contracts/ids.ts';
import { looksLikeOwnTrailer } from '../../../lib/own-trailer.ts';

/** What a commit's message claims of its evidence. */
export type Trailers =
  | { readonly kind: 'none' }
  | { readonly kind: 'claimed'; readonly session: string; readonly mode: string; readonly evidence: Sha256 }
  /** There is something like a trailer of ours, and fluffy did not write it so. */
  | { readonly kind: 'malformed'; readonly reason: string };

const OWN_BLOCK =
  /(?:^|\n)Fluffy-Session: (s_[a-z0-9]{8,40})\nFluffy-Mode: ([a-z-]+)\nFluffy-Evidence: ([0-9a-f]{64})\n$/;
const TRAILERS = 3;

/** Every character that some tool ends a line at. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/**
 * Reads the trailers off a message, or says that it has none. They are believed only where fluffy writes them, at the very end, each once: two
 * tools that choose differently between two trailers must not see two commits.
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
