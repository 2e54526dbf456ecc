import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as TreeSitter from 'web-tree-sitter';
import type { ParseSyntax, ParsedSource, SyntaxLanguage, SyntaxNode, TextEdit } from '../../contracts/ports/syntax.ts';
import { editedText } from '../../lib/syntax/edited-text.ts';
import { lacksOnlySemicolons } from './macro-blocks.ts';
import { plainTree } from './plain-tree.ts';
import type { Building } from './plain-tree.ts';
import { readProptestCases } from './proptest-cases.ts';
import { lacksOnlyVariance } from './variance-words.ts';

const MAX_CHARACTERS = 1024 * 1024;
const DEADLINE_MS = 2_000;

type Runtime = typeof TreeSitter;

/**
 * Parsers of tree-sitter, as WebAssembly, so that a text that breaks its parser affects nothing outside. The runtime
 * and each grammar are loaded from the installed packages at their first use, so that a program that never parses pays
 * nothing.
 */
export function syntaxParser(monotonicMs: () => number): ParseSyntax {
  let runtime: Promise<Runtime> | null = null;
  const grammars = new Map<SyntaxLanguage, Promise<TreeSitter.Language>>();

  async function grammar(language: SyntaxLanguage): Promise<{ runtime: Runtime; language: TreeSitter.Language }> {
    runtime ??= loadRuntime();
    const loaded = await runtime;
    const known = grammars.get(language) ?? loadGrammar(loaded, language);
    grammars.set(language, known);
    return { runtime: loaded, language: await known };
  }

  async function withParser<T>(
    language: SyntaxLanguage,
    use: (parser: TreeSitter.Parser, runtime: Runtime) => T,
  ): Promise<T> {
    const loaded = await grammar(language);
    const parser = new loaded.runtime.Parser();
    try {
      parser.setLanguage(loaded.language);
      return use(parser, loaded.runtime);
    } finally {
      parser.delete();
    }
  }

  const parse = async (language: SyntaxLanguage, text: string): Promise<ParsedSource> => {
    if (text.length > MAX_CHARACTERS) {
      return { kind: 'refused', why: `it has more than ${MAX_CHARACTERS} characters` };
    }
    return withParser(language, (parser) =>
      parseBefore(parser, { language, text }, monotonicMs() + DEADLINE_MS, monotonicMs),
    );
  };

  /** What is not complete by the old tree is parsed whole, which decides. */
  const completeAfter: ParseSyntax['completeAfter'] = async (language, text, edits) => {
    if (edits.length === 0) return [];
    const quick = await withParser(language, (parser, { Edit }) => {
      const isOver = (startMs: number) => ({ progressCallback: () => monotonicMs() > startMs + DEADLINE_MS });
      const tree = parser.parse(text, null, isOver(monotonicMs()));
      try {
        return edits.map(
          (edit) => tree !== null && parsesAgain(parser, tree, { text, edit, Edit }, isOver(monotonicMs())),
        );
      } finally {
        tree?.delete();
      }
    });
    const complete: boolean[] = [];
    for (const [index, edit] of edits.entries()) {
      const whole = quick[index] === true ? null : await parse(language, editedText(text, edit));
      complete.push(whole === null || (whole.kind === 'parsed' && whole.complete));
    }
    return complete;
  };
  return Object.assign(parse, { completeAfter });
}

/** Whether the edited text has no errors, by the tree of the text. */
function parsesAgain(
  parser: TreeSitter.Parser,
  tree: TreeSitter.Tree,
  { text, edit, Edit }: { readonly text: string; readonly edit: TextEdit; readonly Edit: Runtime['Edit'] },
  options: TreeSitter.ParseOptions,
): boolean {
  const after = editedText(text, edit);
  const newEnd = edit.start + edit.replacement.length;
  const old = tree.copy();
  old.edit(
    new Edit({
      startIndex: edit.start,
      oldEndIndex: edit.end,
      newEndIndex: newEnd,
      startPosition: positionIn(text, edit.start),
      oldEndPosition: positionIn(text, edit.end),
      newEndPosition: positionIn(after, newEnd),
    }),
  );
  const again = parser.parse(after, old, options);
  old.delete();
  if (again === null) {
    parser.reset();
    return false;
  }
  const { hasError } = again.rootNode;
  again.delete();
  return !hasError;
}

function positionIn(text: string, offset: number): TreeSitter.Point {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { row: before.split('\n').length - 1, column: offset - lineStart };
}

function parseBefore(
  parser: TreeSitter.Parser,
  { language, text }: { readonly language: SyntaxLanguage; readonly text: string },
  deadlineMs: number,
  monotonicMs: () => number,
): ParsedSource {
  const isLate = (): boolean => monotonicMs() > deadlineMs;
  const { root, hasError, why } = parsedTree(parser, text, isLate);
  if (root === null) return { kind: 'refused', why };
  if (language === 'rust') {
    readProptestCases(root, text, (part) => {
      const parsed = parsedTree(parser, part, isLate);
      return parsed.hasError ? null : parsed.root;
    });
  }
  return { kind: 'parsed', root, complete: !hasError || isKnownLack(language, root, text) };
}

function parsedTree(
  parser: TreeSitter.Parser,
  text: string,
  isLate: () => boolean,
): { readonly root: Building | null; readonly hasError: boolean; readonly why: string } {
  const tree = parser.parse(text, null, { progressCallback: isLate });
  if (tree === null) return { root: null, hasError: false, why: 'parsing it takes too long' };
  try {
    const why = 'it is nested too deep, or has too many parts';
    return { root: plainTree(tree), hasError: tree.rootNode.hasError, why };
  } finally {
    tree.delete();
  }
}

/** Whether all errors come from syntax that the grammar does not know, so that nothing is missing in the tree. */
function isKnownLack(language: SyntaxLanguage, root: SyntaxNode, text: string): boolean {
  if (language === 'cpp') return lacksOnlySemicolons(root, text);
  return /^(?:typescript|tsx)$/.test(language) && lacksOnlyVariance(root, text);
}

async function loadRuntime(): Promise<Runtime> {
  const loaded = await import('web-tree-sitter');
  await loaded.Parser.init();
  return loaded;
}

async function loadGrammar(runtime: Runtime, language: SyntaxLanguage): Promise<TreeSitter.Language> {
  const { resolve } = createRequire(import.meta.url);
  return runtime.Language.load(await readFile(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`)));
}
