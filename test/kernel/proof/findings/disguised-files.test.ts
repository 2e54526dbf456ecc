import { describe, expect, it } from 'vitest';
import type { SyntaxNode } from '../../../../src/contracts/ports/syntax.ts';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import type { ChangedText, ChangeFacts } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { languageOfFile } from '../../../../src/lib/syntax/language-of-file.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { SUSPECT_ANSWERS } from './suspect-answers.ts';
import { SUSPECT } from './suspect-files.ts';
import { SUSPECT_HELPERS, SUSPECT_SIGNS } from './suspect-signs.ts';

const parse = syntaxParser(() => 0);
const FACTS: ChangeFacts = {
  reported: [],
  isTest: (path) => /(?:^|\/)(?:tests?|fixtures)\//.test(path),
  isCode: () => true,
  unread: [],
};
/** What is in them is text, not tokens. */
const TEXTS = /string|template|regex|char_literal|comment|jsx|escape|heredoc/;

/** Where tokens begin. */
function* tokens(node: SyntaxNode): Generator<number> {
  if (node.children.length === 0 || TEXTS.test(node.kind)) yield node.start;
  else for (const child of node.children) yield* tokens(child);
}

/** The text with something before each token that says nothing. Python has no such thing in all places. */
async function disguised(file: ChangedText, nothing: string): Promise<ChangedText> {
  const language = languageOfFile(file.path);
  if (language === null || language === 'python') return file;
  const tree = await parse(language, file.after);
  if (tree.kind !== 'parsed' || !tree.complete) return file;
  let after = '';
  let at = 0;
  for (const start of new Set(tokens(tree.root))) {
    after += `${file.after.slice(at, start)}${nothing}`;
    at = start;
  }
  return { ...file, after: after + file.after.slice(at) };
}

const kindsOf = async (files: readonly ChangedText[]): Promise<Set<string>> =>
  new Set((await inspectChange(files, parse, FACTS)).map(({ kind }) => kind));

const WRITTEN = [...SUSPECT, ...SUSPECT_ANSWERS, ...SUSPECT_SIGNS, ...SUSPECT_HELPERS].filter(({ files }) =>
  files.some(({ path }) => !path.endsWith('.py')),
);

describe.each([
  ['a comment', '/**/'],
  ['a blank', ' '],
])('%s before every token', (_, nothing) => {
  it.each(WRITTEN)('hides nothing: $kind: $what', async ({ kind, files }) => {
    const hidden = await Promise.all(files.map((file) => disguised(file, nothing)));
    if (!(await kindsOf(files)).has(kind)) return;
    expect([...(await kindsOf(hidden))], hidden.map(({ after }) => after).join('\n')).toContain(kind);
  });
});
