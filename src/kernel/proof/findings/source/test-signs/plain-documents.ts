import { posix } from 'node:path';
import { parseJson } from '../../../../../lib/parse-json.ts';
import type { InspectedChange } from '../../finding.ts';
import { literalsIn } from '../../names.ts';

/** A document of a change: a file that is no program here. */
export interface DocumentText {
  readonly path: string;
  readonly text: string;
}

const TEMPLATES = /\.(?:html?|mustache|hbs|handlebars|txt|tmpl|tpl|svg|xml|css)$/i;
/** A template that decides or computes is a program. */
const CODE = /<%|<\?(?!xml)|\{%|<script|\{\{[#^>]|\bon\w+\s*=|javascript:/i;
const MAX_CHARACTERS = 100_000;
/** Something can be packed into a word of this length. */
const PACKED = /[^\s<>"'=;,]{120}/;
const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g;
const MIN_TEXT = 3;

/** Returns whether a document has data or a text for people, and none of what the changed tests expect. */
export function isPlainDocument({ path, text }: DocumentText, change: InspectedChange): boolean {
  if (text.length > MAX_CHARACTERS || PACKED.test(text)) return false;
  const { expected, expectedTexts } = change;
  const hasAnswer = (value: string): boolean =>
    [...expectedTexts].some((each) => each.length >= MIN_TEXT && value.includes(each)) ||
    [...value.matchAll(NUMBER)].some(([number]) => expected.has(number));
  if (posix.extname(path) === '.json') {
    const leaves = leavesOf(parseJson(text));
    return leaves !== null && !leaves.some(hasAnswer) && !isMadeOfTests(leaves, change);
  }
  return TEMPLATES.test(path) && !CODE.test(text) && !hasAnswer(text);
}

/** Returns the keys and values of a JSON document as texts, or null for a document without any. */
function leavesOf(value: unknown): string[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: string[] = [];
  const waiting: unknown[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (Array.isArray(each)) waiting.push(...(each as unknown[]));
    else if (typeof each === 'object' && each !== null) {
      found.push(...Object.keys(each));
      waiting.push(...Object.values(each));
    } else found.push(String(each));
  }
  return found.length === 0 ? null : found;
}

/** A table for the inputs of the tests alone, whatever is done with its values. */
function isMadeOfTests(leaves: readonly string[], { tests }: InspectedChange): boolean {
  const literals = new Set(tests.flatMap(({ root, text }) => [...literalsIn(root, text)]));
  const ofTests = leaves.filter((leaf) => {
    const words = leaf.match(/[\p{L}\p{N}.]+/gu) ?? [];
    return literals.has(leaf) || (words.length > 0 && words.every((word) => literals.has(word)));
  });
  return ofTests.length * 2 >= leaves.length;
}
