import { z } from 'zod';
import { sandboxTemplateSchema } from './sandbox/guard-api.ts';
import type { SandboxTemplate } from './sandbox/sandbox-templates.ts';
import type { SandboxId } from './ids.ts';
import { SESSION_MODES, SESSION_STATES } from './session/workflow-states.ts';
import type { SessionMode, SessionState } from './session/workflow-states.ts';

/** The possible results of a rule. `pass` abstains. */
export const RULE_ACTIONS = ['allow', 'deny', 'pass', 'require_review'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** The possible decisions. If no rule allows, the decision is `deny`. */
export const POLICY_VERDICTS = ['allow', 'deny', 'require_review'] as const;
export type PolicyVerdict = (typeof POLICY_VERDICTS)[number];

export const RULE_LAYERS = ['builtin', 'yaml', 'extension'] as const;
export type RuleLayer = (typeof RULE_LAYERS)[number];

/** What happens to the changes of a command: they are dropped, or staged if the rules for `fs.write` allow it. */
export const COMMAND_EFFECTS = ['discard', 'stage'] as const;
export type CommandEffects = (typeof COMMAND_EFFECTS)[number];

/** The longest path a request may name, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 4096;

/**
 * One question to the policy. A call with several paths (`fs.move`, `test.run`) makes one request for each.
 *
 * `path` is project-relative and already resolved (`resolveTargets`). '' is the project root. A trailing slash marks a directory, which matters only
 * to globs that end in one. A call on a whole directory makes a request for each file below it too. For `session.set_mode`, `mode` is the requested
 * mode. `sizeBytes` is the size of the resulting file.
 */
export interface PolicyRequest {
  readonly syscall: string;
  readonly path?: string | undefined;
  readonly host?: string | undefined;
  readonly state: SessionState;
  readonly mode: SessionMode;
  readonly tags: readonly string[];
  readonly plugin?: string | undefined;
  readonly template?: SandboxTemplate | undefined;
  readonly sizeBytes?: number | undefined;
  /** Program and arguments of `shell.run`. */
  readonly command?: readonly string[] | undefined;
  /** Only for `shell.run`. */
  readonly effects?: CommandEffects | undefined;
}

/** The tags of a call by the kernel itself or by a shipped plugin. */
export const CORE_TAGS: readonly string[] = ['core_plugin'];

/** One line of `config policy explain --batch`, with the defaults of the command line. */
export const policyQuerySchema = z.strictObject({
  syscall: z.string().min(1).max(128),
  path: z.string().max(MAX_PATH_BYTES).optional(),
  host: z.string().max(300).optional(),
  state: z.enum(SESSION_STATES).default('idle'),
  mode: z.enum(SESSION_MODES).default('strict'),
  tags: z.array(z.string().max(128)).max(64).default([]),
  plugin: z.string().max(128).optional(),
  template: sandboxTemplateSchema.optional(),
  command: z.array(z.string().max(32_768)).min(1).max(200).optional(),
  effects: z.enum(COMMAND_EFFECTS).optional(),
});
export type PolicyQuery = z.infer<typeof policyQuerySchema>;

/** A rule that matched. `reason` is the rule's own, or says why it abstained although it matched. */
export interface RuleOutcome {
  readonly name: string;
  readonly layer: RuleLayer;
  readonly action: RuleAction;
  readonly reason?: string;
}

/** The conditions of an allow. An absent field is no condition. `requireSandbox: 'L2'` means any sandbox. */
export interface AllowConstraints {
  readonly maxFileSizeBytes?: number;
  readonly requireSandbox?: 'L2' | SandboxTemplate;
  readonly requireCapabilityToken?: boolean;
}

/**
 * `rules`: all rules that matched, in the order of layer, then name, independent of the order in the file. `reasons`: those of the rules that
 * decided. `constraints`: conditions of an `allow` (or of what a review allows) that the request did not contain. The operation must meet at least
 * one entry; an empty list means unconditional (`unmetConstraints`).
 */
export interface PolicyDecision {
  readonly decision: PolicyVerdict;
  readonly byToken: boolean;
  readonly rules: readonly RuleOutcome[];
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly constraints: readonly AllowConstraints[];
}

/** A finding in a policy file. `line` and `column` count from 1. */
export const policyDiagnosticSchema = z.strictObject({
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type PolicyDiagnostic = Readonly<z.infer<typeof policyDiagnosticSchema>>;

/** The presenter of a capability, as the kernel itself sees it, never as the peer claims. `peerPid` is null if it is not visible. */
export interface CapabilityBinding {
  readonly sandboxId: SandboxId;
  readonly connectionId: string;
  readonly peerUid: number;
  readonly peerPid: number | null;
}

/** What a capability allows. `paths` are globs for the resolved target; an empty list means a call without a path. */
export interface CapabilityScope {
  readonly syscall: string;
  readonly paths: readonly string[];
  readonly state: SessionState;
  readonly maxOps: number;
  readonly ttlMs: number;
}

/** A short-lived permission for one sandbox. Times are milliseconds of the monotonic clock. `nonce` grows and never repeats. */
export interface Capability extends CapabilityScope {
  readonly id: string;
  readonly nonce: number;
  readonly binding: CapabilityBinding;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** What a sandbox sends with its answer: the token's id and nonce, and a number that grows with each use. */
export const presentedCapabilitySchema = z.strictObject({
  id: z.string().min(1).max(64),
  nonce: z.number().int().nonnegative(),
  use: z.number().int().positive(),
});
export type PresentedCapability = z.infer<typeof presentedCapabilitySchema>;

/** Why a presented capability allows nothing. The request is then decided in full. */
export const CAPABILITY_REFUSALS = [
  'unknown',
  'wrong_nonce',
  'replayed',
  'expired',
  'exhausted',
  'wrong_holder',
  'wrong_state',
  'out_of_scope',
] as const;
export type CapabilityRefusal = (typeof CAPABILITY_REFUSALS)[number];

/** The answer of a policy extension, or why there is none. A missing answer counts as deny. */
export type ExtensionResult =
  | { readonly kind: 'answered'; readonly name: string; readonly action: RuleAction; readonly reason?: string }
  | { readonly kind: 'failed'; readonly name: string; readonly failure: string };
