import { above, nodesOf, textOf } from '../../../syntax/walk.ts';
import type { InspectedFile, Place } from '../../finding.ts';

/** Declarations of statics. Those in a macro have no node of their own, so the text is searched. */
const STATICS = /\bstatic\s+(mut\s+)?(?:ref\s+)?(\$?\w+)\s*:\s*([^=;]+)/g;
const NUMBER = String.raw`(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool)`;
/** Types of numbers and flags. Types of caches do not match. */
const COUNTERS = new RegExp(String.raw`\bAtomic(?:[IU]\w+|Bool)|\b(?:Cell|RefCell|Mutex|RwLock)<\s*${NUMBER}\s*>`);
const COUNTS =
  /\bfetch_(?:add|sub|xor|nand|update|not)\b|[-+*/%^]=|\bcompare_exchange\w*\((?!\s*(?:true|false|\d+)\s*,)/;
const READS = /\.(?:load|get|take|read|lock|borrow|with)\(|\*/;
/** Writes of computed values. A write of a fixed value only marks that something was done once. */
const WRITES = /\.(?:set|store|swap|replace|write)\((?!\s*(?:true|false|-?\d+)\s*[,)])/;
const PLACES = new Set(['function_item', 'macro_definition']);

/** Yields functions and macros that change a number or flag of the crate or thread depending on its old value. */
export function* countedRust(file: InspectedFile): Generator<Place> {
  const { root, text } = file;
  const names = countersOf(text);
  if (names.length === 0) return;
  for (const node of nodesOf(root)) {
    if (!PLACES.has(node.kind) || !file.isAdded(node) || above(node, ({ kind }) => PLACES.has(kind)) !== null) continue;
    const written = textOf(node, text);
    const name = names.find((each) =>
      new RegExp(String.raw`(?<![\w$])${each.replace('$', String.raw`\$`)}\b`).test(written),
    );
    if (name !== undefined && (COUNTS.test(written) || (WRITES.test(written) && READS.test(written))))
      yield { line: node.line, words: `${name} is shared by all calls, and this one changes it` };
  }
}

function countersOf(text: string): string[] {
  return [...text.matchAll(STATICS)].flatMap(([, mutable, name = '', type = '']) =>
    mutable !== undefined || COUNTERS.test(type.replaceAll(/\s+/g, ' ')) ? [name] : [],
  );
}
