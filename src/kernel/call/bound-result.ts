import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { CutKind } from '../../lib/text/cut-text.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';
import { DEFAULT_RESULT } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallReply } from './call.ts';

const CHARACTERS_PER_TOKEN = 4;
/** The maximum that is stored of an output. */
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024;

type Parts = { readonly services: Services; readonly session: Session };

/**
 * A tool's text as the model gets it: secrets are removed, then it is cut to the limit of the tool and of the policy.
 * The full text can still be read by its reference.
 */
export function boundResult(parts: Parts, tool: Tool | null, raw: string): string {
  const { patterns, maxResultTokens } = parts.services.policy().sanitizer;
  const { text } = redactSecrets(raw, patterns);
  const { maxTokens, keep } = tool?.result ?? DEFAULT_RESULT;
  return shorten(parts, text, keep, Math.min(maxTokens, maxResultTokens) * CHARACTERS_PER_TOKEN);
}

/**
 * Shortens the results of one message until they fit into the conversation together. Only the largest results are cut,
 * all to the same length.
 */
export function boundTogether(parts: Parts, replies: readonly CallReply[], maxCharacters: number): CallReply[] {
  const total = replies.reduce((sum, { content }) => sum + content.length, 0);
  if (total <= maxCharacters) return [...replies];
  const max = evenShare(
    replies.map(({ content }) => content.length),
    maxCharacters,
  );
  return replies.map((reply) => ({ ...reply, content: shorten(parts, reply.content, 'ends', max) }));
}

function shorten({ services, session }: Parts, text: string, keep: CutKind, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const reference = services.random.id('o', 8);
  session.keepOutput(reference, cutText(text, 'ends', MAX_KEPT_CHARACTERS).text);
  const note = (from: number): string => `; output.read with reference ${reference} and offset ${from} shows them`;
  return cutText(text, keep, maxCharacters, note).text;
}

/**
 * The maximum length of a result so that all results fit. What short results do not use is available to the long ones.
 */
function evenShare(lengths: readonly number[], room: number): number {
  let left = room;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return left;
}
