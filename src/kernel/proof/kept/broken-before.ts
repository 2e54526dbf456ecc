import { KIND_DEFINITIONS } from '../../../contracts/review/change-kinds.ts';
import type { SessionContext } from '../../services.ts';
import { classifyPath } from '../../policy/index.ts';
import { observeMutants } from '../mutation/observe-mutants.ts';
import type { MutationFacts } from '../mutation/mutation-facts.ts';
import type { Observed } from '../observations/observe.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { stagedWork } from '../in-source/staged-work.ts';
import { splitChanges } from '../views/split-changes.ts';
import { sourceTexts } from './source-texts.ts';

/**
 * Mutates the lines that a refactoring rewrote, in the old source, and runs the present tests. Only tests that notice
 * these mutants can confirm that the new lines behave the same.
 */
export async function observeBrokenBefore(
  context: SessionContext,
  work: Pick<MutationFacts, 'command' | 'suite' | 'files'>,
): Promise<Observed> {
  const { services } = context;
  const staged = await stagedWork(context);
  const { source, rest } = splitChanges(services, work.command, staged.changes);
  const changed = new Set(source.map(({ path }) => path));
  const isCode = (path: string): boolean =>
    languageOfFile(path) !== null || classifyPath(services.policy(), path).kind === 'source';
  const sources = (await sourceTexts(context)).flatMap(({ path, before, after }) =>
    before !== null && changed.has(path) && isCode(path)
      ? [{ path, before: after ?? '', after: staged.mixed.get(path)?.withoutSource ?? before }]
      : [],
  );
  const breaks = `${KIND_DEFINITIONS.refactor.breaks} before the change`;
  const { outcome, detail } = await observeMutants(context, {
    ...work,
    sources,
    breaks,
    shown: rest,
    observation: 'mutation_before',
  });
  return { outcome, detail };
}
