import type { AllowConstraints, RuleOutcome } from '../../../contracts/policy.ts';
import { GlobTrie } from '../../../lib/globs/glob-trie.ts';
import { foldGlob } from '../../../lib/globs/parse-glob.ts';
import type { CompiledRule, Condition } from './compiled-rule.ts';
import { matchAllButGlobs, matchCondition } from './match-condition.ts';
import type { Subject } from './match-condition.ts';

/**
 * A rule with its two outcomes: when it applies, and when an exception excludes it. Created once, not for each request.
 */
interface Entry {
  readonly position: number;
  readonly rule: CompiledRule;
  /** A hit in the index is a full match, because the rule names only syscalls and paths and has no exception. */
  readonly foundIsMatched: boolean;
  /** A deny or a review: it also matches names in another case, and programs in any directory. */
  readonly wide: boolean;
  readonly outcome: RuleOutcome;
  readonly abstains: RuleOutcome;
  /** Only for an allow. */
  readonly constraints: AllowConstraints | null;
}

interface Bucket {
  readonly trie: GlobTrie<Entry>;
  readonly pathless: Entry[];
}

export interface RuleListener {
  /**
   * Called for each rule that matches, in the order of names. `constraints`: those of an allow; null if there are none.
   */
  addOutcome(outcome: RuleOutcome, constraints: AllowConstraints | null, onlyTightens: boolean): void;
}

/**
 * All rules of one layer, found by syscall and then by path. Rules are kept in the order of their names, so that no
 * result depends on the order in the file.
 */
export class RuleIndex {
  readonly rules: readonly CompiledRule[];
  readonly #buckets = new Map<string, Bucket>();
  /** Rules without a syscall, for the syscalls that no rule names. */
  readonly #anySyscall: Bucket = { trie: new GlobTrie(), pathless: [] };

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const syscalls = new Set(this.rules.flatMap((rule) => rule.match.syscalls ?? []));
    for (const syscall of syscalls) this.#buckets.set(syscall, { trie: new GlobTrie(), pathless: [] });
    for (const [position, rule] of this.rules.entries()) {
      const entry = toEntry(rule, position);
      for (const bucket of this.#bucketsOf(rule)) {
        if (rule.match.globs === null) bucket.pathless.push(entry);
        else
          for (const glob of rule.match.globs) {
            bucket.trie.add(glob, entry);
            const folded = entry.wide ? foldGlob(glob) : null;
            if (folded !== null) bucket.trie.add(folded, entry);
          }
      }
    }
  }

  visit(subject: Subject, listener: RuleListener): void {
    const bucket = this.#buckets.get(subject.request.syscall) ?? this.#anySyscall;
    let previous: Entry | null = null;
    for (const entry of candidates(bucket, subject)) {
      if (entry === previous) continue;
      previous = entry;
      const { rule, foundIsMatched, wide } = entry;
      if (!foundIsMatched && !matchAllButGlobs(rule.match, subject, wide)) continue;
      const excepted = rule.except.some((exception) => matchCondition(exception, subject));
      if (excepted) listener.addOutcome(entry.abstains, null, false);
      else listener.addOutcome(entry.outcome, entry.constraints, rule.onlyTightens === true);
    }
  }

  #bucketsOf(rule: CompiledRule): Bucket[] {
    if (rule.match.syscalls === null) return [...this.#buckets.values(), this.#anySyscall];
    return [...new Set(rule.match.syscalls)].flatMap((syscall) => this.#buckets.get(syscall) ?? []);
  }
}

/** In the order of names; a rule may come several times in a row. */
function candidates({ trie, pathless }: Bucket, { path, folded }: Subject): readonly Entry[] {
  const exact = path === null ? [] : trie.collect(path);
  const found = folded === null || folded === path ? exact : [...exact, ...trie.collect(folded).filter(isWide)];
  if (found.length === 0) return pathless;
  const all = pathless.length === 0 ? found : [...pathless, ...found];
  return all.length === 1 ? all : all.toSorted((a, b) => a.position - b.position);
}

function isWide({ wide }: Entry): boolean {
  return wide;
}

function toEntry(rule: CompiledRule, position: number): Entry {
  const { name, layer, action, reason } = rule;
  return {
    position,
    rule,
    wide: action === 'deny' || action === 'require_review',
    foundIsMatched: rule.except.length === 0 && namesOnlySyscallsAndPaths(rule.match),
    outcome: Object.freeze(reason === undefined ? { name, layer, action } : { name, layer, action, reason }),
    abstains: Object.freeze({ name, layer, action: 'pass', reason: 'an exception of the rule applies' }),
    constraints: action === 'allow' ? rule.constraints : null,
  };
}

function namesOnlySyscallsAndPaths(condition: Condition): boolean {
  const { syscalls: _syscalls, globs: _globs, ...others } = condition;
  return Object.values(others).every((field) => field === null);
}
