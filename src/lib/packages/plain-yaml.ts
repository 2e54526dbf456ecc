import { loadAll } from 'js-yaml';
import { ownValue } from '../own-value.ts';
import { messageOf } from '../text/message-of.ts';

const MAX_DEPTH = 50;

export type PlainYaml =
  | { readonly kind: 'documents'; readonly documents: readonly unknown[] }
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * Reads YAML that a program has written: no aliases, merged keys, repeated keys, or keys that every object has. Other programs read the same text, so
 * anything that two readers could interpret differently is refused.
 */
export function readPlainYaml(text: string): PlainYaml {
  if (
    /^[\s\-?'"]*(?:__proto__|constructor|prototype)['"]?\s*:/m.test(text) ||
    /[{,]\s*['"]?__proto__['"]?\s*:/.test(text)
  )
    return { kind: 'unreadable', why: 'it has a key that no such file has (__proto__)' };
  try {
    return {
      kind: 'documents',
      documents: loadAll(text, { maxAliases: 0, maxTotalMergeKeys: 0, maxDepth: MAX_DEPTH }),
    };
  } catch (error) {
    const [first = ''] = messageOf(error).split('\n');
    return { kind: 'unreadable', why: first.slice(0, 200) };
  }
}

export function mapIn(value: unknown, key?: string): Readonly<Record<string, unknown>> {
  const found = key === undefined ? value : ownValue(mapIn(value), key);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : {};
}

export function textIn(value: unknown, key: string): string | null {
  const found = ownValue(mapIn(value), key);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : null;
}
