import { compileRule } from '../rules/compile-rule.ts';
import type { CompiledRule } from '../rules/compiled-rule.ts';
import { covers, matchesEveryPath } from '../rules/covers.ts';
import type { RuleDocument } from './policy-schema.ts';

/**
 * Rules that a deny without exceptions covers whole, by what the text shows. Candidates are found by one glob each, so that this stays
 * quick for thousands of rules.
 */
export function findShadowed(
  documents: readonly RuleDocument[],
): readonly { readonly index: number; readonly by: string }[] {
  const rules = documents.map(compileRule);
  const denials = rules.filter((rule) => rule.action === 'deny' && rule.except.length === 0);
  const broad: CompiledRule[] = [];
  const byGlob = new Map<string, CompiledRule[]>();
  for (const rule of denials) {
    const globs = rule.match.globs;
    if (globs === null || matchesEveryPath(rule.match)) broad.push(rule);
    else for (const { source } of globs) byGlob.set(source, [...(byGlob.get(source) ?? []), rule]);
  }
  return rules.flatMap((rule, index) => {
    if (rule.action === 'deny' || rule.action === 'pass') return [];
    const first = rule.match.globs?.[0];
    const candidates = first === undefined ? broad : [...broad, ...(byGlob.get(first.source) ?? [])];
    const by = candidates.find((denial) => covers(denial.match, rule.match));
    return by === undefined ? [] : [{ index, by: by.name }];
  });
}
