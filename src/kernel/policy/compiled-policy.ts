import type { SecretPrefix } from '../../lib/secrets/secret-rules.ts';
import { EXEMPTION_CATEGORIES } from '../../contracts/review/exemption-categories.ts';
import type { ExemptionCategory } from '../../contracts/review/exemption-categories.ts';
import type { GradeCondition } from '../../lib/evidence/conditions.ts';
import type { GlobSet } from '../../lib/globs/glob-set.ts';
import type { SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { Condition } from './rules/compiled-rule.ts';
import type { HostPattern } from './rules/host-pattern.ts';
import type { RuleIndex } from './rules/rule-index.ts';

/**
 * Which files are tests (without those in `notTests`), documentation, other and source. The first match in this order
 * counts.
 */
export interface WorkspaceSettings {
  readonly tests: GlobSet;
  readonly notTests: GlobSet;
  readonly docs: GlobSet;
  /** Neither test nor source: can be written together with both. */
  readonly other: GlobSet;
  readonly source: GlobSet;
  /** Whether the session's test runner collects a file. Such a file is a test unless it is in `notTests`. */
  readonly collects?: (path: string) => boolean;
  /** Whether the session's runner also runs tests that are written inside a source of this name. */
  readonly holdsTests?: (path: string) => boolean;
}

/**
 * `maxDiffLines`, `maxDiffBytes`: a merge with more changed lines or bytes waits for a person. `sensitive`: so does a
 * merge that changes such a file. `exemptions`: whether a merge that was exempt from tests waits too.
 */
export interface ReviewSettings {
  readonly exemptions: 'ask' | 'auto';
  /** All conditions that a change must meet so that policy approves it without a person. */
  readonly autoApprove: 'never' | readonly GradeCondition[];
  /** Whether mutants of the changed lines are run to see if a test fails. */
  readonly mutation: 'run' | 'skip';
  readonly maxDiffLines: number;
  readonly maxDiffBytes: number;
  readonly sensitive: GlobSet;
}

export { EXEMPTION_CATEGORIES };
export type { ExemptionCategory };

/** A path is exempt if every set matches it. A project's own policy adds a set, so it can only narrow. */
export interface ExemptionSettings {
  readonly paths: readonly GlobSet[];
  /** The change must also affect type declarations only. The kernel checks this itself. */
  readonly typeOnlyChange: boolean;
}

export interface SanitizerSettings {
  readonly maxResultTokens: number;
  readonly patterns: readonly SecretPrefix[];
}

export interface SchedulerSettings {
  readonly globalMax: number;
  readonly perTemplate: Readonly<Partial<Record<SandboxTemplate, number>>>;
  readonly ageThresholdMs: number;
}

export interface AuditSettings {
  readonly retentionDays: number;
  readonly maxSizeBytes: number;
  readonly rotation: 'daily' | 'weekly' | 'monthly';
}

/** Percentage points of coverage against the baseline. */
export interface TechDebtSettings {
  readonly baselineFile: string;
  readonly minDelta: number;
  readonly warningThreshold: number;
  readonly lockoutThreshold: number;
}

/**
 * A TypeScript rule in a file beside the policy, with the digest that its text must have. `match`: the requests for
 * which it is asked; all if absent. `source`: its text after it was read (`withSources`).
 */
export interface ExtensionSettings {
  readonly name: string;
  readonly entry: string;
  readonly sha256: string;
  readonly match?: Condition;
  readonly source?: string;
}

/** An immutable policy. Made by `loadPolicy` and `combinePolicies`, evaluated by `decide`. */
export interface CompiledPolicy {
  /** SHA-256 of the text, 64 lower-case hexadecimal digits. For a combined policy, computed over its parts. */
  readonly hash: string;
  readonly builtin: RuleIndex;
  readonly yaml: RuleIndex;
  readonly workspace: WorkspaceSettings;
  readonly review: ReviewSettings;
  /** Host patterns by group name. A missing or empty group opens nothing. */
  readonly networkWhitelist: ReadonlyMap<string, readonly HostPattern[]>;
  readonly tddExemptions: ReadonlyMap<ExemptionCategory, ExemptionSettings>;
  readonly sanitizer: SanitizerSettings;
  readonly scheduler: SchedulerSettings;
  readonly audit: AuditSettings;
  readonly techDebt: TechDebtSettings;
  readonly extensions: readonly ExtensionSettings[];
}
