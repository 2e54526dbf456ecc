import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { canHoldTests } from '../../proof/in-source/staged-work.ts';
import { inSourceTests, sameTexts, sourceIn, testsIn } from '../../proof/in-source/source-parts.ts';
import type { SourceParts } from '../../proof/in-source/source-parts.ts';
import type { SessionContext } from '../../services.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';

/** One file of a call before and after; null if the file does not exist. */
export interface Rewritten {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Why a state closes this change of a source file that can contain tests; null if the change is allowed, and for every
 * other file. The gate opens such a file by its name, so this checks the content: in test_writing only its tests may
 * change, in code_writing only the rest.
 */
export async function whyClosedInside(
  { services, session }: Pick<SessionContext, 'services' | 'session'>,
  { path, before, after }: Rewritten,
): Promise<ToolAnswer | null> {
  const language = languageOfFile(path);
  const known = inSourceTests(language);
  if (language === null || known === null || !canHoldTests(services.policy(), path)) return null;
  const partsOf = async (text: string | null): Promise<SourceParts & { readonly complete: boolean }> => {
    const tree = text === null ? null : await services.parseSyntax(language, text);
    if (text === null || tree?.kind !== 'parsed') return { text: text ?? '', items: [], complete: text === null };
    return { text, items: known.items(tree.root, text), complete: tree.complete };
  };
  const [old, now] = [await partsOf(before), await partsOf(after)];
  const { state } = session;
  if (state === 'test_writing' || state === 'retroactive_testing') {
    if (!now.complete || !old.complete)
      return closed(`${path} has syntax errors, so its tests and its source cannot be separated. Correct the errors.`);
    if (after !== null && sameTexts(sourceIn(old), sourceIn(now))) return null;
    return closed(
      `${path} is source code. In state ${state} only the part under ${known.word} can be written. Leave the rest unchanged until test.run has opened the source.`,
    );
  }
  // A file with syntax errors cannot be built. It is checked again when the suite is built.
  const isKept = !now.complete || !old.complete || sameTexts(testsIn(old), testsIn(now));
  if (state !== 'code_writing' || isKept) return null;
  return closed(
    `The tests in ${path} are frozen since the source was opened. Do not change the part under ${known.word}. If it must change, call workflow.revise_tests.`,
  );
}

function closed(message: string): ToolAnswer {
  return failure('tool_unavailable', message);
}
