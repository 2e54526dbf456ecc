import type { ModelMessage, ToolSpec } from '../../contracts/model/model.ts';
import { isPinNote } from '../../lib/text/pin-words.ts';
import { groupDigits } from '../../lib/text/group-digits.ts';
import type { Window } from './window.ts';
import { bytesOf, messageBytes, tokensOf, toolsBytes } from './token-estimate.ts';

export const CONTEXT_PARTS = ['system', 'tools', 'notes', 'pins', 'summary', 'messages', 'calls', 'results'] as const;
export type ContextPart = (typeof CONTEXT_PARTS)[number];

/** Estimated tokens of the next request, by part. */
export type ContextUse = Readonly<Record<ContextPart, number>>;

export interface Request {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** The messages as they are sent. */
  readonly messages: readonly ModelMessage[];
  readonly hasHead: boolean;
}

export function contextUse({ system, tools, messages, hasHead }: Request, bytesPerToken: number): ContextUse {
  const bytes: Record<ContextPart, number> = {
    system: bytesOf(system),
    tools: toolsBytes(tools),
    notes: 0,
    pins: 0,
    summary: 0,
    messages: 0,
    calls: 0,
    results: 0,
  };
  for (const [index, message] of messages.entries()) {
    const size = messageBytes(message);
    if (message.role === 'tool') bytes.results += size;
    else if (message.role === 'user') bytes[partOfUser(message, hasHead && index === 0)] += size;
    else {
      const said = bytesOf(message.text);
      bytes.messages += said;
      bytes.calls += size - said;
    }
  }
  const entries = CONTEXT_PARTS.map((part) => [part, tokensOf(bytes[part], bytesPerToken)] as const);
  return Object.fromEntries(entries) as ContextUse;
}

function partOfUser({ author, text }: Extract<ModelMessage, { role: 'user' }>, isHead: boolean): ContextPart {
  if (isHead) return 'summary';
  if (author !== 'kernel') return 'messages';
  return isPinNote(text) ? 'pins' : 'notes';
}

export function totalTokens(use: ContextUse): number {
  return CONTEXT_PARTS.reduce((sum, part) => sum + use[part], 0);
}

/** Some terminals draw the characters of the bar two cells wide; the row must fit there too. */
const BAR_CELLS = 20;

/** The text of /context. Pure. */
export function contextText(use: ContextUse, window: Window, tools: readonly ToolSpec[]): string {
  const total = totalTokens(use);
  const rows = CONTEXT_PARTS.filter((part) => use[part] > 0).map((part) => row(part, use[part], window.tokens));
  return [
    `about ${groupDigits(total)} of ${groupDigits(window.tokens)} tokens (${percent(total, window.tokens)} %); ${groupDigits(window.output)} are kept free for an answer`,
    ...rows,
    row('free', Math.max(0, window.tokens - total), window.tokens),
    `Of the tokens for tools: ${toolCosts(tools)}`,
    `Old results are shortened from ${groupDigits(window.clearAt)} tokens on, the conversation is compacted from ${groupDigits(window.compactAt)} on.`,
  ].join('\n');
}

/** Maximum number of tools that are named. */
const TOOLS_SHOWN = 5;

/** The tokens that each tool's name, description and schema take in every request, largest first. */
function toolCosts(tools: readonly ToolSpec[]): string {
  const all = toolsBytes(tools);
  const costs = tools.map((tool) => ({ name: tool.name, share: toolsBytes([tool]) / all }));
  const shown = costs
    .sort((a, b) => b.share - a.share)
    .slice(0, TOOLS_SHOWN)
    .map(({ name, share }) => `${name} ${percent(share, 1)} %`);
  const others = costs.length - shown.length;
  return [...shown, ...(others > 0 ? [`${others} others`] : [])].join(', ');
}

function row(name: string, tokens: number, all: number): string {
  const cells = Math.min(BAR_CELLS, Math.round((tokens / all) * BAR_CELLS));
  const bar = '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells);
  return `${name.padEnd(9)} ${bar} ${groupDigits(tokens).padStart(9)} ${percent(tokens, all).padStart(3)} %`;
}

function percent(part: number, all: number): string {
  return String(Math.round((part / all) * 100));
}
