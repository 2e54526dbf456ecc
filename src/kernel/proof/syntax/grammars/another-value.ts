import type { Replacement } from './grammar.ts';

const SHOWN = 'another value of its type';

/**
 * A number becomes the next one, a list is in another order, an object keeps its keys. Only a test that compares values notices it: type, length, keys and
 * closeness stay. What has no such value becomes undefined.
 */
const OF_JAVASCRIPT = [
  "typeof v === 'number' ? v + 1",
  "typeof v === 'bigint' ? v + 1n",
  "typeof v === 'string' ? v + ' '",
  "typeof v === 'boolean' ? !v",
  'v == null ? true',
  'Array.isArray(v) ? (v.some((e, i) => e !== v[v.length - 1 - i]) ? [...v].reverse() : [...v, null])',
  'v instanceof Date ? new Date(v.getTime() + 1)',
  'Object.getPrototypeOf(v) !== Object.prototype || Object.keys(v).length === 0 ? undefined',
  'Object.fromEntries(Object.keys(v).map((k) => [k, null]))',
].join(' : ');

const OF_PYTHON = [
  'not v if isinstance(v, bool)',
  'v + 1 if isinstance(v, (int, float))',
  "v + ' ' if isinstance(v, str)",
  "v + b' ' if isinstance(v, bytes)",
  'True if v is None',
  'v[::-1] if isinstance(v, (list, tuple)) and v[::-1] != v',
  'v + v if isinstance(v, (list, tuple)) and v',
  'dict.fromkeys(v) if isinstance(v, dict) and v',
  'None',
].join(' else ');

/** `type`: that of both, where types are checked before tests run. */
export function anotherJavascriptValue(expression: string, type: '' | 'any'): Replacement {
  const parameter = type === '' ? 'v' : 'v: any';
  const result = type === '' ? '' : ': any';
  return {
    replacement: `((${parameter})${result} => ${OF_JAVASCRIPT})((${expression}))`,
    shown: SHOWN,
    nothing: 'undefined',
  };
}

export function anotherPythonValue(expression: string): Replacement {
  return { replacement: `(lambda v: ${OF_PYTHON})((${expression}))`, shown: SHOWN, nothing: 'None' };
}
