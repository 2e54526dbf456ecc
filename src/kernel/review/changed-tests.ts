import type { ProjectPath } from '../../contracts/ids.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import { classifyPath } from '../policy/index.ts';
import { whatElseThanAdded } from '../proof/additions/only-adds.ts';
import { testsInPlace } from '../proof/in-source/source-parts.ts';
import type { StagedWork } from '../proof/in-source/staged-work.ts';
import { sourceText } from '../proof/read-text.ts';
import { languageOfFile } from '../../lib/syntax/language-of-file.ts';
import type { Services } from '../services.ts';

/** A changed test file that existed before the session and that was not merely extended. */
export interface ChangedTest {
  readonly path: string;
  /** What has changed; null if that cannot be said in a few words. */
  readonly what: string | null;
}

const MAX_BYTES = 1024 * 1024;
const MAX_NAMED = 3;
const MAX_WORDS = 300;

/**
 * Existing tests that a person must look at, because green does not show that a case was removed or weakened. A file
 * with additions only is left out, since its old cases are unchanged.
 */
export async function changedTests(
  services: Pick<Services, 'policy' | 'parseSyntax' | 'workspaces'>,
  workspace: Workspace,
  { changes, mixed }: StagedWork,
): Promise<ChangedTest[]> {
  const isChanged = (path: string): boolean =>
    classifyPath(services.policy(), path).kind === 'test' || mixed.get(path)?.testsChanged === true;
  const existing = changes.filter(({ path, before }) => before.kind !== 'absent' && isChanged(path));
  if (existing.length === 0) return [];
  const project = await services.workspaces.scratch();
  try {
    const found: ChangedTest[] = [];
    for (const { path, before, after } of existing) {
      if (after.kind === 'absent') found.push({ path, what: 'deleted' });
      else if (before.kind !== 'file' || after.kind !== 'file' || before.executable !== after.executable)
        found.push({ path, what: null });
      else {
        const inside = mixed.get(path);
        const texts =
          inside === undefined
            ? [await textIn(project.workspace, path), await textIn(workspace, path)]
            : [testsInPlace(inside.before), testsInPlace(inside.after)];
        const [then, now] = await Promise.all(
          texts.map(async (text) => (text === null ? null : sourceText(services.parseSyntax, path, text))),
        );
        const other = then && now ? whatElseThanAdded(then, now) : null;
        if (other === null) found.push({ path, what: null });
        else if (other.length > 0) {
          const words = listFirst(other, { max: MAX_NAMED, separator: '; ' });
          found.push({ path, what: oneLine(words, MAX_WORDS) });
        }
      }
    }
    return found;
  } finally {
    await project.close();
  }
}

async function textIn(workspace: Workspace, path: string): Promise<string | null> {
  const read = languageOfFile(path) === null ? null : await workspace.read(path as ProjectPath, MAX_BYTES);
  return read?.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
