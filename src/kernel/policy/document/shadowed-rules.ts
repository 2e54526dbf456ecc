import { compileRule } from '../rules/compile-rule.ts';
import type { CompiledRule } from '../rules/compiled-rule.ts';
import { covers, matchesEveryPath } from '../rules/covers.ts';
import type { RuleDocument } from './policy-schema.ts';

/** The search ends after so many comparisons: what it finds is worth a warning, and no policy may be made so that loading it takes forever. */
export const MAX_COMPARISONS = 1_000_000;

/**
 * Rules that a deny without exceptions covers whole, by what the text shows. Candidates are found by one glob each, so that this stays
 * quick for thousands of rules.
 */
export function findShadowed(
  documents: readonly RuleDocument[],
): readonly { readonly index: number; readonly by: string }[] {
  const rules = documents.map(compileRule);
  const broad: CompiledRule[] = [];
  const byGlob = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    if (rule.action !== 'deny' || rule.except.length > 0) continue;
    const globs = rule.match.globs;
    if (globs === null || matchesEveryPath(rule.match)) broad.push(rule);
    else for (const source of new Set(globs.map((glob) => glob.source))) addTo(byGlob, source, rule);
  }

  let comparisons = 0;
  const shadowOf = (rule: CompiledRule): CompiledRule | null => {
    const first = rule.match.globs?.[0];
    for (const denials of [broad, (first && byGlob.get(first.source)) ?? []]) {
      for (const denial of denials) {
        if (comparisons === MAX_COMPARISONS) return null;
        comparisons += 1;
        if (covers(denial.match, rule.match)) return denial;
      }
    }
    return null;
  };
  return rules.flatMap((rule, index) => {
    const by = rule.action === 'deny' || rule.action === 'pass' ? null : shadowOf(rule);
    return by === null ? [] : [{ index, by: by.name }];
  });
}

function addTo(lists: Map<string, CompiledRule[]>, key: string, rule: CompiledRule): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [rule]);
  else list.push(rule);
}
