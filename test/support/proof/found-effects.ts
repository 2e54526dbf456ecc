import { newEffects } from '../../../src/kernel/proof/kept/effects/new-effects.ts';
import { syntaxParser } from '../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

export type ChangedFile = readonly [path: string, before: string | null, after: string];

/** What a refactoring of sources does otherwise, a line each. */
export async function foundEffects(
  files: readonly ChangedFile[],
  { role = 'source', deleted = [] }: { readonly role?: 'source' | 'test'; readonly deleted?: readonly string[] } = {},
): Promise<string[]> {
  const texts = files.map(([path, before, after]) => ({ path, role, before, after }));
  const { findings, constants } = await newEffects(texts, deleted, parse);
  return [...findings, ...constants.map(({ finding }) => finding)].map(
    ({ kind, path, line, words }) => `${kind} ${path}:${line}: ${words}`,
  );
}
