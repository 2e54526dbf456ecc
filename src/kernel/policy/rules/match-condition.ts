import type { PolicyRequest } from '../../../contracts/policy.ts';
import { matchGlob } from '../../../lib/globs/match-glob.ts';
import { toMatchable } from '../../../lib/globs/matchable-path.ts';
import type { MatchablePath } from '../../../lib/globs/matchable-path.ts';
import type { Condition } from './compiled-rule.ts';
import { matchHost, parseHostPattern } from './host-pattern.ts';
import type { HostPattern } from './host-pattern.ts';

/** A request with its path cut up and its host read, once for all rules. */
export interface Subject {
  readonly request: PolicyRequest;
  readonly path: MatchablePath | null;
  readonly host: HostPattern | null;
}

export function toSubject(request: PolicyRequest): Subject {
  const host = request.host === undefined ? null : parseHostPattern(request.host);
  return {
    request,
    path: request.path === undefined ? null : toMatchable(request.path),
    host: host?.kind === 'ok' ? host.host : null,
  };
}

/** Whether every field that the condition names is met by at least one of its values; what a request lacks meets nothing. */
export function matchCondition(condition: Condition, subject: Subject): boolean {
  return matchGlobs(condition, subject) && matchAllButGlobs(condition, subject);
}

function matchGlobs(condition: Condition, { path }: Subject): boolean {
  return condition.globs === null || (path !== null && condition.globs.some((glob) => matchGlob(glob, path)));
}

/** The part that the rule index leaves open: it has matched the globs already. */
export function matchAllButGlobs(condition: Condition, { request, host }: Subject): boolean {
  return (
    holds(condition.syscalls, request.syscall) &&
    holds(condition.states, request.state) &&
    holds(condition.modes, request.mode) &&
    holds(condition.plugins, request.plugin) &&
    holds(condition.templates, request.template) &&
    (condition.tags === null || condition.tags.some((tag) => request.tags.includes(tag))) &&
    (condition.hosts === null || (host !== null && condition.hosts.some((pattern) => matchHost(pattern, host))))
  );
}

function holds(wanted: readonly string[] | null, actual: string | undefined): boolean {
  return wanted === null || (actual !== undefined && wanted.includes(actual));
}
