import type { PolicyRequest } from '../../../contracts/policy.ts';
import { foldPath } from '../../../lib/globs/fold-path.ts';
import type { Glob } from '../../../lib/globs/glob.ts';
import { matchGlob } from '../../../lib/globs/match-glob.ts';
import { toMatchable } from '../../../lib/globs/matchable-path.ts';
import type { MatchablePath } from '../../../lib/globs/matchable-path.ts';
import { foldGlob } from '../../../lib/globs/parse-glob.ts';
import type { RuleClass } from './rule-class.ts';
import { matchCommand } from './command-pattern.ts';
import type { CompiledRule, Condition } from './compiled-rule.ts';
import { matchHost, parseHostPattern } from './host-pattern.ts';
import type { HostPattern } from './host-pattern.ts';

/** A request with its path split and its host parsed, once for all rules. */
export interface Subject {
  readonly request: PolicyRequest;
  readonly path: MatchablePath | null;
  /** The path in the form that compares names without regard to case; the same object if that changes nothing. */
  readonly folded: MatchablePath | null;
  readonly host: HostPattern | null;
  /** Whether the path is in a class of the policy; false without a path. */
  readonly isIn: (wanted: RuleClass) => boolean;
}

/** Returns the classes of a path. */
export type Classify = (path: string) => ReadonlySet<RuleClass>;

/** `classify` is called at most once, and only if a rule needs it. */
export function toSubject(request: PolicyRequest, classify: Classify): Subject {
  const host = request.host === undefined ? null : parseHostPattern(request.host);
  const path = request.path === undefined ? null : toMatchable(request.path);
  let classes: ReadonlySet<RuleClass> | null = null;
  return {
    request,
    path,
    folded: path === null || path.plain ? path : toMatchable(foldPath(request.path ?? '')),
    host: host?.kind === 'ok' ? host.host : null,
    isIn: (wanted) => request.path !== undefined && (classes ??= classify(request.path)).has(wanted),
  };
}

/**
 * Whether the subject matches at least one value of every field of the condition. A field that the request lacks
 * matches nothing.
 */
export function matchCondition(condition: Condition, subject: Subject): boolean {
  return matchGlobs(condition, subject) && matchAllButGlobs(condition, subject);
}

/** Whether the rule applies to the subject: like `RuleIndex` for one rule, without an index. */
export function ruleApplies({ action, match, except }: CompiledRule, subject: Subject): boolean {
  const wide = action === 'deny' || action === 'require_review';
  const globs = match.globs ?? [];
  const inPath = matchGlobs(match, subject) || (wide && globs.some((glob) => matchFolded(glob, subject.folded)));
  return (
    inPath && matchAllButGlobs(match, subject, wide) && !except.some((exception) => matchCondition(exception, subject))
  );
}

function matchFolded(glob: Glob, folded: MatchablePath | null): boolean {
  return folded !== null && (matchGlob(glob, folded) || matchGlob(foldGlob(glob) ?? glob, folded));
}

function matchGlobs(condition: Condition, { path }: Subject): boolean {
  return condition.globs === null || (path !== null && condition.globs.some((glob) => matchGlob(glob, path)));
}

/**
 * The part of the match that the rule index leaves open; the index has matched the globs already. `wide`: commands are
 * matched as for a rule that denies or requires review (`matchCommand`).
 */
export function matchAllButGlobs(condition: Condition, subject: Subject, wide = false): boolean {
  const { request, host, isIn } = subject;
  const { command } = request;
  return (
    holds(condition.syscalls, request.syscall) &&
    holds(condition.states, request.state) &&
    holds(condition.modes, request.mode) &&
    holds(condition.plugins, request.plugin) &&
    holds(condition.templates, request.template) &&
    holds(condition.effects, request.effects) &&
    (condition.tags === null || condition.tags.some((tag) => request.tags.includes(tag))) &&
    (condition.hosts === null || (host !== null && condition.hosts.some((pattern) => matchHost(pattern, host)))) &&
    (condition.classes === null || condition.classes.some(isIn)) &&
    (condition.commands === null ||
      (command !== undefined && condition.commands.some((pattern) => matchCommand(pattern, command, wide))))
  );
}

function holds(wanted: readonly string[] | null, actual: string | undefined): boolean {
  return wanted === null || (actual !== undefined && wanted.includes(actual));
}
