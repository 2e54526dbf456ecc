import { createHash } from 'node:crypto';

/** Tokens of a request, as a vendor's answer counts them. `input` holds neither what was read from the cache nor what was written to it. */
export interface CountedInput {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Counts requests as a vendor with a prompt cache does; it remembers what it has seen. */
export type PromptCache = (body: Readonly<Record<string, unknown>>) => CountedInput;

const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

const MIN_CACHED_TOKENS = 1024;
const LOOK_BACK_BLOCKS = 20;
const MAX_MARKERS = 4;
const STEP_TOKENS = 128;

interface Block {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Anthropic's rules: a prompt is tools, system text and messages, block by block. What stands before a marker is kept under its exact content. From
 * each marker the service looks back over 20 blocks for the longest beginning that is kept. Nothing under 1,024 tokens is kept.
 */
export function anthropicCache(): PromptCache {
  const kept = new Set<string>();
  return (body) => {
    const blocks = blocksOf(body);
    const ends = prefixes(blocks);
    const markers = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
    if (markers.length > MAX_MARKERS) throw new Error(`${markers.length} cache markers, at most ${MAX_MARKERS}`);
    const tokensAt = (index: number): number => tokensOf(ends[index]?.characters ?? 0);
    const candidates = markers.flatMap((marker) =>
      Array.from({ length: LOOK_BACK_BLOCKS + 1 }, (_, back) => marker - back).filter((index) => index >= 0),
    );
    const found = candidates.filter((index) => kept.has(ends[index]?.hash ?? ''));
    const read = found.length === 0 ? 0 : tokensAt(Math.max(...found));
    const lastMarker = markers.at(-1) ?? -1;
    for (const index of markers) if (tokensAt(index) >= MIN_CACHED_TOKENS) kept.add(ends[index]?.hash ?? '');
    const written = tokensAt(lastMarker) >= MIN_CACHED_TOKENS ? Math.max(0, tokensAt(lastMarker) - read) : 0;
    return { input: tokensAt(blocks.length - 1) - read - written, cacheRead: read, cacheWrite: written };
  };
}

/**
 * OpenAI's rules: what two requests of one `prompt_cache_key` begin with is read from the cache from 1,024 tokens on, in steps of 128. Without a key
 * requests may go to any machine: nothing is counted as read.
 */
export function openAiCache(): PromptCache {
  const seen = new Map<string, string[]>();
  return (body) => {
    const { prompt_cache_key: key, instructions, tools, input } = body;
    const prompt = JSON.stringify([tools, instructions, input]);
    const total = tokensOf(prompt.length);
    if (typeof key !== 'string') return { input: total, cacheRead: 0, cacheWrite: 0 };
    const earlier = seen.get(key) ?? [];
    const shared = Math.max(0, ...earlier.map((each) => sharedLength(each, prompt)));
    const tokens = Math.floor(shared / CHARACTERS_PER_TOKEN / STEP_TOKENS) * STEP_TOKENS;
    const cacheRead = tokens >= MIN_CACHED_TOKENS ? tokens : 0;
    seen.set(key, [...earlier.slice(-3), prompt]);
    return { input: total - cacheRead, cacheRead, cacheWrite: 0 };
  };
}

function blocksOf(body: Readonly<Record<string, unknown>>): readonly Block[] {
  const { tools = [], system = [], messages = [] } = body as Readonly<Record<string, readonly object[] | undefined>>;
  const said = messages.flatMap((message) => {
    const { role, content } = message as { readonly role: string; readonly content: readonly object[] };
    return content.map((block) => toBlock(block, role));
  });
  return [...tools.map((tool) => toBlock(tool, 'tool')), ...system.map((block) => toBlock(block, 'system')), ...said];
}

function toBlock(block: object, place: string): Block {
  const { cache_control: marker, ...content } = block as { readonly cache_control?: unknown };
  return { text: `${place} ${JSON.stringify(content)}`, marked: marker !== undefined };
}

function prefixes(blocks: readonly Block[]): readonly { readonly hash: string; readonly characters: number }[] {
  const hash = createHash('sha256');
  let characters = 0;
  return blocks.map(({ text }) => {
    hash.update(`${text.length}:${text}`);
    characters += text.length;
    return { hash: hash.copy().digest('hex'), characters };
  });
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
