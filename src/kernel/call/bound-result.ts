import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { CutKind } from '../../lib/text/cut-text.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';
import { DEFAULT_RESULT } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallReply } from './call.ts';

const CHARACTERS_PER_TOKEN = 4;
/** What is kept of an output that is larger than any reader goes through. */
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024;

type Parts = { readonly services: Services; readonly session: Session };

/** A tool's text as the model gets it: without secrets, then cut to the limit of the tool and of the policy. What is cut stays readable by reference. */
export function boundResult(parts: Parts, tool: Tool | null, raw: string): string {
  const { patterns, maxResultTokens } = parts.services.policy().sanitizer;
  const { text } = redactSecrets(raw, patterns);
  const { maxTokens, keep } = tool?.result ?? DEFAULT_RESULT;
  return shorten(parts, text, keep, Math.min(maxTokens, maxResultTokens) * CHARACTERS_PER_TOKEN);
}

/** The results of one message, so that they fit into the conversation together: the largest ones are cut further, all of them alike. */
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

/** The length that nothing may have more of, so that all fit: what is shorter leaves its room to the others. */
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
