import canonicalize from 'canonicalize';

/**
 * The RFC 8785 form of a JSON value, over which hashes and signatures are made. Undefined members are left out. Throws for values that JSON or UTF-8
 * cannot represent: NaN, infinities, lone surrogates, cycles, undefined itself.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('there is no JSON for this value');
  return text;
}

/** Whether `text` is the RFC 8785 form of `value`, which must be the result of JSON.parse for it. Several times faster than `canonicalJson`. */
export function isCanonicalJson(text: string, value: unknown): boolean {
  // JSON.stringify escapes a lone surrogate, for which RFC 8785 has no form. And JavaScript puts keys that look like array indices first, whatever
  // their order in the text. Both are rare enough for the slow way.
  if (!text.includes('\\ud') && hasSortedKeys(value)) return JSON.stringify(value) === text && text.isWellFormed();
  try {
    return canonicalize(value) === text;
  } catch {
    return false;
  }
}

function hasSortedKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasSortedKeys);
  const members = value as Readonly<Record<string, unknown>>;
  let previous: string | null = null;
  // Values of JSON.parse inherit nothing enumerable.
  for (const key in members) {
    // `<` compares UTF-16 code units, as RFC 8785 requires.
    if ((previous !== null && key <= previous) || !hasSortedKeys(members[key])) return false;
    previous = key;
  }
  return true;
}
