import type { RuleOutcome } from '../../../contracts/policy.ts';
import { GlobTrie } from '../globs/glob-trie.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { matchAllButGlobs, matchCondition } from './match-condition.ts';
import type { Subject } from './match-condition.ts';

interface Bucket {
  readonly trie: GlobTrie;
  /** Positions of rules that name no path. */
  readonly pathless: number[];
}

/** A rule with what it says when it applies, and when an exception takes it out: made once, not for each request. */
interface Entry {
  readonly rule: CompiledRule;
  readonly outcome: RuleOutcome;
  readonly abstains: RuleOutcome;
}

/** Told of each rule that matches, in the order of names. `rule` is null if one of its exceptions applies. */
export type RuleVisitor = (outcome: RuleOutcome, rule: CompiledRule | null) => void;

/**
 * All rules of one layer, found by syscall and then by path. Rules are kept in the order of their names, so that nothing that comes
 * out depends on the order in which they were written.
 */
export class RuleIndex {
  readonly rules: readonly CompiledRule[];
  readonly #entries: readonly Entry[];
  readonly #buckets = new Map<string, Bucket>();
  /** Rules that name no syscall, for the syscalls that no rule names. */
  readonly #anySyscall: Bucket = { trie: new GlobTrie(), pathless: [] };

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    this.#entries = this.rules.map(toEntry);
    const syscalls = new Set(this.rules.flatMap((rule) => rule.match.syscalls ?? []));
    for (const syscall of syscalls) this.#buckets.set(syscall, { trie: new GlobTrie(), pathless: [] });
    for (const [position, rule] of this.rules.entries()) {
      for (const bucket of this.#bucketsOf(rule)) {
        if (rule.match.globs === null) bucket.pathless.push(position);
        else for (const glob of rule.match.globs) bucket.trie.add(glob, position);
      }
    }
  }

  visit(subject: Subject, visitor: RuleVisitor): void {
    const bucket = this.#buckets.get(subject.request.syscall) ?? this.#anySyscall;
    const candidates: number[] = [];
    for (const position of bucket.pathless) candidates.push(position);
    if (subject.path !== null) bucket.trie.collect(subject.path, candidates);
    if (candidates.length > 1) candidates.sort((a, b) => a - b);

    let previous = -1;
    for (const position of candidates) {
      const entry = this.#entries[position];
      if (position === previous || entry === undefined) continue;
      previous = position;
      const { rule } = entry;
      if (!matchAllButGlobs(rule.match, subject)) continue;
      const excepted = rule.except.length > 0 && rule.except.some((exception) => matchCondition(exception, subject));
      if (excepted) visitor(entry.abstains, null);
      else visitor(entry.outcome, rule);
    }
  }

  #bucketsOf(rule: CompiledRule): Bucket[] {
    if (rule.match.syscalls === null) return [...this.#buckets.values(), this.#anySyscall];
    return [...new Set(rule.match.syscalls)].flatMap((syscall) => this.#buckets.get(syscall) ?? []);
  }
}

function toEntry(rule: CompiledRule): Entry {
  const { name, layer, action, reason } = rule;
  return {
    rule,
    outcome: Object.freeze(reason === undefined ? { name, layer, action } : { name, layer, action, reason }),
    abstains: Object.freeze({ name, layer, action: 'pass', reason: 'an exception of the rule applies' }),
  };
}
