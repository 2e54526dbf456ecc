import type { Sha256 } from '../../../contracts/ids.ts';

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
 * A line that a person would take for a trailer of ours, once what is invisible is gone, other dashes, colons and widths are made plain,
 * and letters that look alike are one: `F` and Greek digamma, `l` and `I`, `u` and upsilon, `y` and Cyrillic u.
 */
const LOOKS_OWN =
  /^\s*[f\u03dd\u0192\u0493][l1i|\u0456\u04cf\u0131][u\u03c5\u057d\u1d1c][f\u03dd\u0192\u0493]{2}[y\u0443\u04af\u03b3\u028f]-[^\s:]*\s*:/iu;

/**
 * Reads the trailers off a message, or says that it has none. They are believed only where fluffy writes them, at the very end, each once: two
 * tools that choose differently between two trailers must not see two commits.
 */
export function readTrailers(message: Buffer): Trailers {
  const text = message.toString('utf8');
  const lines = text.split(LINE_END).filter((line) => LOOKS_OWN.test(plain(line)));
  if (lines.length === 0) return { kind: 'none' };
  if (!Buffer.from(text).equals(message)) return malformed('the message is not UTF-8');
  const found = OWN_BLOCK.exec(text);
  if (found === null) return malformed('the Fluffy trailers are not as fluffy writes them, or not at the end');
  if (lines.length !== TRAILERS) return malformed('a Fluffy trailer, or something that looks like one, is there twice');
  const [, session = '', mode = '', evidence = ''] = found;
  return { kind: 'claimed', session, mode, evidence: evidence as Sha256 };
}

function plain(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .replace(/[\p{Pd}\u2212\u02d7]/gu, '-')
    .replace(/[\u02d0\u0589\u05c3\u2236\ua789]/gu, ':');
}

function malformed(reason: string): Trailers {
  return { kind: 'malformed', reason };
}
