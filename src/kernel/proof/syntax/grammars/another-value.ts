import type { Replacement } from './grammar.ts';

const SHOWN = 'another value of its type';

/**
 * An expression for another value of the same type: a number becomes the next one, a list changes its order, an object
 * keeps its keys. Type, length and keys stay the same and the value stays close, so only a test that compares values
 * notices it. A value without such a replacement becomes undefined.
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

/**
 * `type` is the type of the parameter and of the result. TypeScript needs it where types are checked before tests run.
 */
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
