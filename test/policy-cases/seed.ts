import type { CapabilityRefusal, ExtensionResult, PolicyVerdict, RuleAction } from '../../src/contracts/policy.ts';

/**
 * The 26 normative cases of the specification, by number, as data. `builtins` and `rules` are rules as a policy file has them;
 * `extensions` are what the extensions answer; `token` is a capability for the request, `valid` or wrong in one way.
 */
export interface SeedCase {
  readonly number: number;
  readonly title: string;
  readonly builtins?: readonly RuleText[];
  /** null: an empty file. */
  readonly rules: readonly RuleText[] | null;
  readonly extensions?: readonly ExtensionResult[];
  readonly request: { readonly syscall: string; readonly path?: string; readonly tags?: readonly string[] };
  readonly token?:
    'valid' | Extract<CapabilityRefusal, 'expired' | 'exhausted' | 'wrong_holder'> | 'at_expiry' | 'just_before_expiry';
  readonly expect: {
    readonly decision: PolicyVerdict;
    readonly byToken?: boolean;
    readonly reasons?: readonly string[];
    /** Names of rules that took part, with what they said. */
    readonly took_part?: Readonly<Record<string, RuleAction>>;
    /** Names of rules that must not have been asked. */
    readonly not_asked?: readonly string[];
    /** A part of a warning that loading the rules gives. */
    readonly warning?: string;
  };
}

export interface RuleText {
  readonly name: string;
  readonly match: Readonly<Record<string, unknown>>;
  readonly except?: readonly Readonly<Record<string, unknown>>[];
  readonly action: RuleAction;
  readonly reason?: string;
}

const write = { syscall: 'fs.write' };
const allowWrite: RuleText = { name: 'allow-write', match: write, action: 'allow' };
const denyWrite: RuleText = { name: 'deny-write', match: write, action: 'deny', reason: 'no writing' };
const reviewWrite: RuleText = { name: 'review-write', match: write, action: 'require_review', reason: 'a human looks' };
const request = { syscall: 'fs.write', path: 'src/a.ts' };
const answered = (name: string, action: RuleAction): ExtensionResult => ({ kind: 'answered', name, action });

const twoExceptions: RuleText = {
  ...reviewWrite,
  except: [{ path_glob: ['src/tests/**'] }, { caller_tag: ['trusted_write'] }],
};

export const SEED_CASES: readonly SeedCase[] = [
  {
    number: 1,
    title: 'no rule matches: denied by default',
    rules: [{ name: 'allow-read', match: { syscall: 'fs.read' }, action: 'allow' }],
    request,
    expect: { decision: 'deny', not_asked: ['allow-read'] },
  },
  {
    number: 2,
    title: 'only rules that pass: denied by default',
    rules: [{ name: 'abstain', match: write, action: 'pass' }],
    extensions: [answered('also-abstains', 'pass')],
    request,
    expect: { decision: 'deny', took_part: { abstain: 'pass', 'also-abstains': 'pass' } },
  },
  {
    number: 3,
    title: 'one allow and one deny: deny wins',
    rules: [allowWrite, denyWrite],
    request,
    expect: { decision: 'deny', reasons: ['no writing'], took_part: { 'allow-write': 'allow', 'deny-write': 'deny' } },
  },
  {
    number: 4,
    title: 'one allow and one require_review: require_review wins',
    rules: [allowWrite, reviewWrite],
    request,
    expect: { decision: 'require_review', reasons: ['a human looks'] },
  },
  {
    number: 5,
    title: 'a built-in allow does not end the evaluation: an extension that denies wins',
    builtins: [allowWrite],
    rules: [],
    extensions: [answered('denier', 'deny')],
    request,
    expect: { decision: 'deny', took_part: { 'allow-write': 'allow', denier: 'deny' } },
  },
  {
    number: 6,
    title: 'require_review abstains where an except matches',
    rules: [allowWrite, { ...reviewWrite, except: [{ path_glob: ['src/**'] }] }],
    request,
    expect: { decision: 'allow', took_part: { 'review-write': 'pass', 'allow-write': 'allow' } },
  },
  {
    number: 7,
    title: 'a valid token does not get past a built-in deny',
    builtins: [denyWrite],
    rules: [allowWrite],
    request,
    token: 'valid',
    expect: { decision: 'deny', byToken: false, reasons: ['no writing'] },
  },
  {
    number: 8,
    title: 'a valid token gets past YAML and extensions',
    builtins: [],
    rules: [denyWrite],
    extensions: [answered('denier', 'deny')],
    request,
    token: 'valid',
    expect: { decision: 'allow', byToken: true, not_asked: ['deny-write', 'denier'] },
  },
  {
    number: 9,
    title: 'an expired token: the rules decide',
    rules: [reviewWrite],
    request,
    token: 'expired',
    expect: { decision: 'require_review', byToken: false },
  },
  {
    number: 10,
    title: 'several require_review: all reasons are given',
    rules: [
      reviewWrite,
      { name: 'also-review', match: { path_glob: 'src/' }, action: 'require_review', reason: 'source is dear' },
    ],
    extensions: [{ kind: 'answered', name: 'third', action: 'require_review', reason: 'it is late' }],
    request,
    expect: { decision: 'require_review', reasons: ['source is dear', 'a human looks', 'it is late'] },
  },
  {
    number: 11,
    title: 'a YAML deny ends it: the extension is never asked',
    rules: [denyWrite],
    extensions: [answered('allower', 'allow')],
    request,
    expect: { decision: 'deny', not_asked: ['allower'] },
  },
  {
    number: 12,
    title: 'a rule whose syscall matches and whose path does not, does not apply',
    rules: [{ ...allowWrite, match: { ...write, path_glob: ['docs/**'] } }],
    request,
    expect: { decision: 'deny', not_asked: ['allow-write'] },
  },
  {
    number: 13,
    title: 'require_review whose except does not match stands',
    rules: [{ ...reviewWrite, except: [{ path_glob: ['docs/**'] }] }],
    request,
    expect: { decision: 'require_review' },
  },
  {
    number: 14,
    title: 'of several exceptions one matches: the rule abstains',
    rules: [allowWrite, twoExceptions],
    request: { ...request, tags: ['new_employee', 'trusted_write'] },
    expect: { decision: 'allow', took_part: { 'review-write': 'pass' } },
  },
  {
    number: 15,
    title: 'of several exceptions none matches: the rule stands',
    rules: [allowWrite, twoExceptions],
    request: { ...request, tags: ['new_employee'] },
    expect: { decision: 'require_review' },
  },
  {
    number: 16,
    title: 'several allows and nothing against them: allowed',
    rules: [allowWrite, { name: 'allow-src', match: { path_glob: ['src/**'] }, action: 'allow' }],
    request,
    expect: { decision: 'allow', took_part: { 'allow-write': 'allow', 'allow-src': 'allow' } },
  },
  {
    number: 17,
    title: 'allowed by a YAML rule and an extension: allowed',
    rules: [allowWrite],
    extensions: [answered('allower', 'allow')],
    request,
    expect: { decision: 'allow', took_part: { 'allow-write': 'allow', allower: 'allow' } },
  },
  {
    number: 18,
    title: 'no built-in rules at all: the rest still works',
    builtins: [],
    rules: [allowWrite, denyWrite],
    request,
    expect: { decision: 'deny', reasons: ['no writing'] },
  },
  {
    number: 19,
    title: 'an empty policy file: denied by default',
    rules: null,
    request,
    expect: { decision: 'deny', warning: 'empty' },
  },
  {
    number: 20,
    title: 'an extension that crashes denies',
    rules: [allowWrite],
    extensions: [{ kind: 'failed', name: 'crasher', failure: 'the policy sandbox ended' }],
    request,
    expect: { decision: 'deny', took_part: { crasher: 'deny' } },
  },
  {
    number: 21,
    title: 'a token that is used up: the rules decide',
    rules: [denyWrite],
    request,
    token: 'exhausted',
    expect: { decision: 'deny', byToken: false, reasons: ['no writing'] },
  },
  {
    number: 22,
    title: 'at the very instant of its expiry a token is expired',
    rules: [denyWrite],
    request,
    token: 'at_expiry',
    expect: { decision: 'deny', byToken: false },
  },
  {
    number: 22,
    title: 'the time is taken once: a token that holds when the evaluation starts holds to its end',
    rules: [denyWrite],
    request,
    token: 'just_before_expiry',
    expect: { decision: 'allow', byToken: true },
  },
  {
    number: 23,
    title: 'a token of another sandbox: the rules decide',
    rules: [denyWrite],
    request,
    token: 'wrong_holder',
    expect: { decision: 'deny', byToken: false },
  },
  {
    number: 24,
    title: 'a syscall that nobody knows: denied by default',
    rules: [allowWrite],
    request: { syscall: 'quantum.entangle' },
    expect: { decision: 'deny', not_asked: ['allow-write'] },
  },
  {
    number: 25,
    title: 'an empty path_glob matches no path, and a warning says so',
    rules: [{ ...allowWrite, match: { ...write, path_glob: [] } }],
    request,
    expect: { decision: 'deny', not_asked: ['allow-write'], warning: 'path_glob is an empty list' },
  },
  {
    number: 26,
    title: 'an except that is the same as match: the rule never applies, and a warning says so',
    rules: [allowWrite, { ...reviewWrite, except: [write] }],
    request,
    expect: { decision: 'allow', took_part: { 'review-write': 'pass' }, warning: 'never applies' },
  },
];
