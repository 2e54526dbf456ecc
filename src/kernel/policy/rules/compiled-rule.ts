import type { AllowConstraints, RuleAction, RuleLayer } from '../../../contracts/policy.ts';
import type { Glob } from '../../../lib/globs/glob.ts';
import type { RuleClass } from './rule-class.ts';
import type { CommandPattern } from './command-pattern.ts';
import type { HostPattern } from './host-pattern.ts';

/**
 * The requirements of a `match` or of one item of `except`. A null field requires nothing; an empty list can never be
 * met.
 */
export interface Condition {
  readonly syscalls: readonly string[] | null;
  readonly globs: readonly Glob[] | null;
  readonly tags: readonly string[] | null;
  readonly plugins: readonly string[] | null;
  readonly modes: readonly string[] | null;
  readonly states: readonly string[] | null;
  readonly templates: readonly string[] | null;
  readonly hosts: readonly HostPattern[] | null;
  readonly classes: readonly RuleClass[] | null;
  readonly commands: readonly CommandPattern[] | null;
  readonly effects: readonly string[] | null;
}

/** Matches every request. */
export const ANY_REQUEST: Condition = {
  syscalls: null,
  globs: null,
  tags: null,
  plugins: null,
  modes: null,
  states: null,
  templates: null,
  hosts: null,
  classes: null,
  commands: null,
  effects: null,
};

export interface CompiledRule {
  readonly name: string;
  readonly layer: RuleLayer;
  readonly action: RuleAction;
  readonly reason?: string;
  readonly match: Condition;
  readonly except: readonly Condition[];
  /**
   * Set for a `require_review` of the repository's author: it requires review of what is otherwise allowed, and opens
   * nothing else.
   */
  readonly onlyTightens?: true;
  /** Only an `allow` has constraints. */
  readonly constraints: AllowConstraints | null;
}
