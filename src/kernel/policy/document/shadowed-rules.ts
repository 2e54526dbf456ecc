import { neededFacts, shownFacts } from '../../../lib/globs/glob-cover.ts';
import { compileRule } from '../rules/compile-rule.ts';
import type { CompiledRule } from '../rules/compiled-rule.ts';
import { covers, excludes, extentOf } from '../rules/covers.ts';
import type { Extent } from '../rules/covers.ts';
import type { RuleDocument } from './policy-schema.ts';

/** The search stops after this many comparisons. It only finds warnings, and no policy may make loading slow. */
export const MAX_COMPARED_VALUES = 5_000_000;

export interface Shadowed {
  readonly index: number;
  readonly by: CompiledRule;
}

/**
 * Rules without effect, because the text shows that another rule covers them completely. A deny covers every rule, a
 * require_review covers allows. A rule of the file with exceptions covers nothing; a built-in rule does if its
 * exceptions are about other syscalls. Candidates are found by one glob or syscall each, so the search is quick for
 * thousands of rules.
 */
export function findShadowed(
  documents: readonly RuleDocument[],
  builtins: readonly CompiledRule[] = [],
): readonly Shadowed[] {
  const rules = documents.map(compileRule);
  const covering = new FactIndex([...builtins, ...rules.filter((rule) => rule.except.length === 0)]);

  let compared = 0;
  const extents = new Map<CompiledRule, Extent>();
  const extentOfRule = (rule: CompiledRule): Extent => {
    const extent = extents.get(rule) ?? extentOf(rule.match);
    extents.set(rule, extent);
    return extent;
  };
  /** A deny is preferred to a require_review, which covers only allows. */
  const shadowOf = (rule: CompiledRule): CompiledRule | null => {
    let review: CompiledRule | null = null;
    for (const candidate of covering.candidates(rule)) {
      if (candidate.action === 'require_review' && (review !== null || rule.action !== 'allow')) continue;
      compared += extentOfRule(rule).size;
      if (compared > MAX_COMPARED_VALUES) break;
      if (!covers(extentOfRule(candidate), extentOfRule(rule))) continue;
      if (!candidate.except.every((exception) => excludes(exception, rule.match))) continue;
      if (candidate.action === 'deny') return candidate;
      review = candidate;
    }
    return review;
  };
  return rules.flatMap((rule, index) => {
    const by = rule.action === 'allow' || rule.action === 'require_review' ? shadowOf(rule) : null;
    return by === null ? [] : [{ index, by }];
  });
}

/** A key that is no syscall's name. */
const ANY = '';

class FactIndex {
  /** Rules that name no path, by syscall. */
  readonly #bySyscall = new Map<string, CompiledRule[]>();
  readonly #byFact = new Map<string, CompiledRule[]>();

  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      if (rule.action !== 'deny' && rule.action !== 'require_review') continue;
      const { syscalls, globs } = rule.match;
      if (globs === null) for (const syscall of syscalls ?? [ANY]) addTo(this.#bySyscall, syscall, rule);
      else for (const glob of globs) for (const fact of shownFacts(glob)) addTo(this.#byFact, fact, rule);
    }
  }

  /** Rules that may cover a rule; a candidate can come several times. */
  *candidates({ match }: CompiledRule): Generator<CompiledRule> {
    yield* this.#bySyscall.get(ANY) ?? [];
    const syscall = match.syscalls?.[0];
    if (syscall !== undefined) yield* this.#bySyscall.get(syscall) ?? [];
    const first = match.globs?.[0];
    if (first === undefined) return;
    for (const fact of neededFacts(first)) yield* this.#byFact.get(fact) ?? [];
  }
}

function addTo(lists: Map<string, CompiledRule[]>, key: string, rule: CompiledRule): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [rule]);
  else list.push(rule);
}
