/**
 * Parses JSON that may be hostile: valid UTF-8 only, limited nesting, no key twice in one object, no key `__proto__`. `JSON.parse` stays the only
 * parser; what it silently accepts is found by comparing its result with the text's structure.
 */
export const MAX_JSON_DEPTH = 64;

export type StrictJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: StrictJsonFault };

export type StrictJsonFault =
  'invalid UTF-8' | 'invalid JSON' | 'nested too deeply' | 'duplicate key' | 'key __proto__';

export function parseStrictJson(bytes: Uint8Array, maxDepth: number = MAX_JSON_DEPTH): StrictJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, reason: 'invalid UTF-8' };
  }
  const structure = scanJsonStructure(bytes);
  // Checked before parsing: eight million opening brackets would cost some hundred megabytes.
  if (structure.depth > maxDepth) return { ok: false, reason: 'nested too deeply' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'invalid JSON' };
  }
  const census: Census = { members: 0, proto: false };
  takeCensus(value, census);
  if (census.proto) return { ok: false, reason: 'key __proto__' };
  // JSON.parse keeps one of two equal keys, so the text has more members than the value.
  if (census.members !== structure.members) return { ok: false, reason: 'duplicate key' };
  return { ok: true, value };
}

interface Census {
  members: number;
  proto: boolean;
}

function takeCensus(value: unknown, census: Census): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) takeCensus(item, census);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    census.members += 1;
    if (key === '__proto__') census.proto = true;
    takeCensus(member, census);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Greatest nesting and number of object members in a JSON text. Meaningless for other text. */
export function scanJsonStructure(bytes: Uint8Array): { readonly depth: number; readonly members: number } {
  let open = 0;
  let depth = 0;
  let members = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index += 1;
      while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
    } else if (byte === COLON) {
      members += 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open += 1;
      if (open > depth) depth = open;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      open -= 1;
    }
  }
  return { depth, members };
}
