import type { SecretPrefix } from '../../lib/secrets/secret-rules.ts';
import { EXEMPTION_CATEGORIES } from '../../contracts/review/exemption-categories.ts';
import type { ExemptionCategory } from '../../contracts/review/exemption-categories.ts';
import type { GradeCondition } from '../../lib/evidence/conditions.ts';
import type { GlobSet } from '../../lib/globs/glob-set.ts';
import type { SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { Condition } from './rules/compiled-rule.ts';
import type { HostPattern } from './rules/host-pattern.ts';
import type { RuleIndex } from './rules/rule-index.ts';

/** Which files are tests (but those in `notTests`), documentation, other and source. A path is the first of these that it matches. */
export interface WorkspaceSettings {
  readonly tests: GlobSet;
  readonly notTests: GlobSet;
  readonly docs: GlobSet;
  /** Neither test nor source: it can be written with both. */
  readonly other: GlobSet;
  readonly source: GlobSet;
  /** Whether the session's runner collects a file: it is a test then, but for those in `notTests`. */
  readonly collects?: (path: string) => boolean;
  /** Whether the session's runner also runs tests that are written inside a source of this name. */
  readonly holdsTests?: (path: string) => boolean;
}

/**
 * `maxDiffLines`, `maxDiffBytes`: a merge with more changed lines or bytes waits for a human. `sensitive`: so does one that touches such a file. `exemptions`: whether one
 * that was exempt from tests does.
 */
export interface ReviewSettings {
  readonly exemptions: 'ask' | 'auto';
  /** What a change has to be and have, all of it, for policy to approve it alone. */
  readonly autoApprove: 'never' | readonly GradeCondition[];
  /** Whether changed lines are broken to see if tests notice. */
  readonly mutation: 'run' | 'skip';
  readonly maxDiffLines: number;
  readonly maxDiffBytes: number;
  readonly sensitive: GlobSet;
}

export { EXEMPTION_CATEGORIES };
export type { ExemptionCategory };

/** A path is exempt if every set matches it: a project's own policy adds a set and so can only narrow. */
export interface ExemptionSettings {
  readonly paths: readonly GlobSet[];
  /** The change must also be of type declarations only, which the kernel finds out by itself. */
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
 * A TypeScript rule, beside the policy file, with the digest its text must have. `match`: what it is asked about; everything, if it does not say.
 * `source`: its text, once it has been read (`withSources`).
 */
export interface ExtensionSettings {
  readonly name: string;
  readonly entry: string;
  readonly sha256: string;
  readonly match?: Condition;
  readonly source?: string;
}

/** An immutable policy. Made by `loadPolicy` and `combinePolicies`, asked through `decide`. */
export interface CompiledPolicy {
  /** SHA-256 of the text, 64 lower-case hexadecimal digits; of a combination, over the parts. */
  readonly hash: string;
  readonly builtin: RuleIndex;
  readonly yaml: RuleIndex;
  readonly workspace: WorkspaceSettings;
  readonly review: ReviewSettings;
  /** Host patterns by the name of their group. A group that is missing or empty opens nothing. */
  readonly networkWhitelist: ReadonlyMap<string, readonly HostPattern[]>;
  readonly tddExemptions: ReadonlyMap<ExemptionCategory, ExemptionSettings>;
  readonly sanitizer: SanitizerSettings;
  readonly scheduler: SchedulerSettings;
  readonly audit: AuditSettings;
  readonly techDebt: TechDebtSettings;
  readonly extensions: readonly ExtensionSettings[];
}
