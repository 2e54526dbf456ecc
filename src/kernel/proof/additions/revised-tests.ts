import type { TestRevision } from '../../../contracts/session/session-snapshot.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { SessionContext } from '../../services.ts';
import { testsIn } from '../in-source/source-parts.ts';
import { canHoldTests, sourceParts } from '../in-source/staged-work.ts';
import { sourceText, textAt } from '../read-text.ts';
import { whatElseThanAdded } from './only-adds.ts';

/** Maximum size of the texts that are kept before a revision. If the tests are larger, a person has to look at them. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_NAMED = 3;
const MAX_WORDS = 300;

type Context = Pick<SessionContext, 'services' | 'workspace'>;

/** Returns the texts of the tests before a revision, or null if they are too large. */
export async function testsToCompare(
  context: Context,
  tests: Readonly<Record<string, string>>,
): Promise<Record<string, string> | null> {
  const texts: Record<string, string> = {};
  let left = MAX_CHARACTERS;
  for (const path of Object.keys(tests)) {
    const text = await testsAt(context, path);
    left -= text?.length ?? 0;
    if (left < 0) return null;
    if (text !== null) texts[path] = text;
  }
  return texts;
}

/**
 * Updates revisions after their tests have run again: adds which changes are more than additions, and drops the old
 * texts, which are no longer needed.
 */
export async function settledRevisions(context: Context, revisions: readonly TestRevision[]): Promise<TestRevision[]> {
  return Promise.all(
    revisions.map(async ({ texts, ...revision }) => {
      if (texts === undefined) return revision;
      const rewritten = await rewrittenSince(context, { ...revision, texts });
      return { ...revision, rewritten };
    }),
  );
}

/**
 * Text for review: the reason that the model gave, and the changes that are more than additions. null if the revision
 * only added to tests.
 */
export function wordsOfRevision({ reason, rewritten }: TestRevision): string | null {
  if (rewritten === undefined) return reason;
  if (rewritten.length === 0) return null;
  return oneLine(`${reason} (${listFirst(rewritten, { max: MAX_NAMED, separator: '; ' })})`, MAX_WORDS + reason.length);
}

async function rewrittenSince(
  context: Context,
  { tests, texts, at_green }: TestRevision & { readonly texts: Readonly<Record<string, string>> },
): Promise<string[]> {
  const found: string[] = [];
  const hooks = at_green === true;
  const parse = context.services.parseSyntax;
  for (const path of Object.keys(tests)) {
    const then = texts[path];
    const now = await testsAt(context, path);
    if (then === now) continue;
    if (then === undefined || now === null) found.push(`${path} ${now === null ? 'was deleted' : 'was replaced'}`);
    else {
      const sides = [await sourceText(parse, path, then), await sourceText(parse, path, now)];
      const [before, after] = sides;
      const other = before && after ? whatElseThanAdded(before, after, { hooks }) : ['it cannot be compared'];
      found.push(...other.map((words) => `${path}: ${words}`));
    }
  }
  return found;
}

/** The text of a test file. For a source that contains tests, only the tests. */
async function testsAt({ services, workspace }: Context, path: string): Promise<string | null> {
  const text = await textAt(workspace, path);
  if (text === null || !canHoldTests(services.policy(), path)) return text;
  const parts = await sourceParts(services.parseSyntax, path, text);
  return parts === null ? text : testsIn(parts).join('\n\n');
}
