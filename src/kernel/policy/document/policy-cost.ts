import { GlobScale, weighGlob } from '../../../lib/globs/glob-weight.ts';
import type { Glob } from '../../../lib/globs/glob.ts';
import { KNOWN_SYSCALLS } from './known-syscalls.ts';
import type { ConditionDocument, PolicyDocument, RuleDocument, RuleExample } from './policy-schema.ts';

/**
 * A policy from a cloned repository is loaded before anybody has read it. It must slow down neither loading nor
 * decisions.
 */

/**
 * Maximum weight of all patterns together (`weighGlob`). It limits one decision on the worst path to some tens of
 * milliseconds. The shipped policy weighs about 170.
 */
export const MAX_PATTERN_WEIGHT = 1_000;
/**
 * Maximum number of index entries. A pattern is indexed once for each syscall of its rule; ten thousand rules need
 * about ten thousand entries.
 */
export const MAX_INDEXED = 1_000_000;
/** Shipped rules for any syscall are indexed again for each syscall that a project's policy names. */
const MAX_SYSCALLS = 5_000;
/**
 * Maximum of (length of example × weight of value) over all examples and values of the rules. It limits loading to some
 * hundred milliseconds.
 */
export const MAX_EXAMPLE_COST = 100_000_000;

export interface Excess {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The first limit that a policy exceeds, or null. No sensible policy exceeds one. */
export function findExcess(document: PolicyDocument): Excess | null {
  return heavyPatterns(document) ?? heavyIndex(document) ?? heavyExamples(document);
}

function heavyPatterns(document: PolicyDocument): Excess | null {
  const scale = new GlobScale();
  const indexed = new Set<string>();
  for (const { globs, path, how } of patternsOf(document)) {
    for (const [index, glob] of globs.entries()) {
      const weight = weighGlob(glob, how);
      if (weight === 0 || (how === 'indexed' && indexed.has(glob.source))) continue;
      if (how === 'indexed') indexed.add(glob.source);
      scale.add(glob, weight);
      if (scale.total <= MAX_PATTERN_WEIGHT) continue;
      const message = `with this pattern, those of the policy together could hold up a decision for too long (weight ${scale.total}, at most ${MAX_PATTERN_WEIGHT}). Patterns with "?", "[...]", several stars or several names after "**" weigh most, each again in every exception; names, directories and endings such as "*.ts" in match weigh nothing; "x/" says what "**/x/**" says`;
      return { path: [...path, index], message };
    }
  }
  return null;
}

interface Patterns {
  readonly globs: readonly Glob[];
  readonly path: readonly PropertyKey[];
  readonly how: 'indexed' | 'alone';
}

/**
 * All patterns of the file. Patterns of `workspace` count as exceptions, because they become exceptions in an unsigned
 * policy.
 */
export function* patternsOf(document: PolicyDocument): Generator<Patterns> {
  for (const [index, { match, except }] of (document.capabilities ?? []).entries()) {
    const path = ['capabilities', index];
    if (match.path_glob !== undefined)
      yield { globs: match.path_glob, path: [...path, 'match', 'path_glob'], how: 'indexed' };
    for (const [item, { path_glob: globs = [] }] of (except ?? []).entries())
      yield { globs, path: [...path, 'except', item, 'path_glob'], how: 'alone' };
  }
  for (const [index, { match }] of (document.extensions ?? []).entries())
    yield { globs: match?.path_glob ?? [], path: ['extensions', index, 'match', 'path_glob'], how: 'alone' };
  for (const [key, globs] of Object.entries(document.workspace ?? {}))
    yield { globs, path: ['workspace', key], how: 'alone' };
  yield { globs: document.review?.sensitive_globs ?? [], path: ['review', 'sensitive_globs'], how: 'indexed' };
  for (const [key, exemption] of Object.entries(document.tdd_exemptions ?? {}))
    yield { globs: exemption.path_glob, path: ['tdd_exemptions', key, 'path_glob'], how: 'alone' };
}

function heavyIndex(document: PolicyDocument): Excess | null {
  const rules = document.capabilities ?? [];
  const named = new Set(KNOWN_SYSCALLS);
  for (const [index, { name, match }] of rules.entries()) {
    for (const syscall of match.syscall ?? []) named.add(syscall);
    if (named.size <= MAX_SYSCALLS) continue;
    const message = `with rule "${name}", the policy names more than ${MAX_SYSCALLS} syscalls`;
    return { path: ['capabilities', index], message };
  }
  let entries = 0;
  for (const [index, { name, match }] of rules.entries()) {
    entries += (match.syscall?.length ?? named.size) * Math.max(1, match.path_glob?.length ?? 1);
    if (entries <= MAX_INDEXED) continue;
    const message = `with rule "${name}", the policy has more than ${MAX_INDEXED} pairs of a syscall and a pattern; a rule without syscalls counts for all ${named.size} that are known or named`;
    return { path: ['capabilities', index], message };
  }
  return null;
}

function heavyExamples(document: PolicyDocument): Excess | null {
  let cost = 0;
  for (const [index, rule] of (document.capabilities ?? []).entries()) {
    if (rule.examples === undefined) continue;
    const ofRule = costOf(rule);
    for (const kind of ['match', 'no_match'] as const) {
      for (const [item, example] of (rule.examples[kind] ?? []).entries()) {
        cost += ofRule * sizeOf(example);
        if (cost <= MAX_EXAMPLE_COST) continue;
        const message = `with this example, those of the policy take too long to check; give rule "${rule.name}" fewer of them, or fewer values`;
        return { path: ['capabilities', index, 'examples', kind, item], message };
      }
    }
  }
  return null;
}

function costOf({ match, except }: RuleDocument): number {
  return [match, ...(except ?? [])].reduce((sum, condition) => sum + costOfCondition(condition), 0);
}

function costOfCondition(condition: ConditionDocument): number {
  const values = Object.values(condition).reduce((sum, list) => sum + list.length, 1);
  return (condition.path_glob ?? []).reduce((sum, glob) => sum + 4 * weighGlob(glob, 'alone'), values);
}

function sizeOf({ path, tags }: RuleExample): number {
  return 64 + (path?.length ?? 0) + 16 * (tags?.length ?? 0);
}
