import type { SandboxId } from '../../contracts/ids.ts';
import { ownValue } from '../../lib/own-value.ts';

/** A call that the guard knows. Everything else is rejected by `parseCall`. */
export type GuardCall =
  | { readonly kind: 'ping' }
  | { readonly kind: 'image-list' }
  | { readonly kind: 'volume-create' }
  | { readonly kind: 'volume-list' }
  | { readonly kind: 'volume-remove'; readonly name: string }
  | { readonly kind: 'container-create' }
  | { readonly kind: 'container-list' }
  | { readonly kind: 'container-inspect'; readonly id: string }
  | { readonly kind: 'container-logs'; readonly id: string }
  | { readonly kind: 'container-remove'; readonly id: string }
  | { readonly kind: 'container-do'; readonly id: string; readonly action: ContainerAction }
  | { readonly kind: 'anchor-position' }
  | { readonly kind: 'anchor-records' }
  | { readonly kind: 'anchor' }
  | { readonly kind: 'attest' }
  | { readonly kind: 'spending' }
  | { readonly kind: 'project-place' }
  | { readonly kind: 'egress'; readonly sandbox: SandboxId }
  | { readonly kind: 'signed-policy'; readonly sha256: string };

export type ContainerAction = 'start' | 'stop' | 'kill' | 'wait' | 'pause' | 'unpause';

export interface ParsedCall {
  readonly call: GuardCall;
  /** Only fields of `QUERY_FIELDS` for this call, each with an allowed value. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether the request has a body: an object that the call's own schema parses. */
  readonly takesBody: boolean;
}

export type ParseOutcome =
  { readonly kind: 'call'; readonly parsed: ParsedCall } | { readonly kind: 'refused'; readonly reason: string };

const BOOLEAN = /^(?:true|false|1|0)$/;
const ACTIONS: Readonly<Record<ContainerAction, Readonly<Record<string, RegExp>>>> = {
  start: {},
  stop: { t: /^(?:\d|[12]\d|30)$/ },
  kill: { signal: /^(?:SIG)?(?:KILL|TERM|INT|QUIT)$/ },
  wait: { condition: /^(?:not-running|next-exit|removed)$/ },
  pause: {},
  unpause: {},
};
const LOG_FIELDS = {
  stdout: BOOLEAN,
  stderr: BOOLEAN,
  follow: BOOLEAN,
  timestamps: BOOLEAN,
  tail: /^(?:all|\d{1,6})$/,
};

/** Engine ids only: another program could choose a name, and a prefix could become ambiguous. Hashes of policies look the same. */
const ID = '([0-9a-f]{64})';
const SANDBOX = '(x_[a-z0-9]{8,40})';
const VOLUME = '(fluffy-[0-9a-f]{1,8}-x_[a-z0-9]{8,40})';

/**
 * Reads method and target exactly as received: nothing is decoded, normalised or tolerated, so a path has one spelling. Pure.
 *
 * @param target path and query of the request line
 */
export function parseCall(method: string, target: string): ParseOutcome {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const found = routeOf(method, path);
  if (found === null) return { kind: 'refused', reason: 'no such endpoint' };
  const query = parseQuery(at < 0 ? '' : target.slice(at + 1), found.fields);
  if (query === null) return { kind: 'refused', reason: 'unknown or invalid query' };
  const takesBody = ['volume-create', 'container-create', 'anchor', 'anchor-records', 'attest', 'spending'].includes(
    found.call.kind,
  );
  return { kind: 'call', parsed: { call: found.call, query, takesBody } };
}

interface Route {
  readonly call: GuardCall;
  readonly fields: Readonly<Record<string, RegExp>>;
}

function routeOf(method: string, path: string): Route | null {
  switch (`${method} ${path}`) {
    case 'GET /_ping':
      return { call: { kind: 'ping' }, fields: {} };
    case 'GET /images/json':
      return { call: { kind: 'image-list' }, fields: {} };
    case 'POST /volumes/create':
      return { call: { kind: 'volume-create' }, fields: {} };
    case 'GET /volumes':
      return { call: { kind: 'volume-list' }, fields: {} };
    case 'POST /containers/create':
      return { call: { kind: 'container-create' }, fields: {} };
    case 'GET /containers/json':
      return { call: { kind: 'container-list' }, fields: { all: BOOLEAN } };
    case 'GET /fluffy/anchor':
      return { call: { kind: 'anchor-position' }, fields: {} };
    case 'POST /fluffy/anchor-records':
      return { call: { kind: 'anchor-records' }, fields: {} };
    case 'POST /fluffy/anchor':
      return { call: { kind: 'anchor' }, fields: {} };
    case 'POST /fluffy/attest':
      return { call: { kind: 'attest' }, fields: {} };
    case 'POST /fluffy/spending':
      return { call: { kind: 'spending' }, fields: {} };
    case 'GET /fluffy/project-place':
      return { call: { kind: 'project-place' }, fields: {} };
    default:
      return routeWithName(method, path);
  }
}

function routeWithName(method: string, path: string): Route | null {
  const volume = match(path, `/volumes/${VOLUME}`);
  if (method === 'DELETE' && volume !== null)
    return { call: { kind: 'volume-remove', name: volume[0] ?? '' }, fields: { force: BOOLEAN } };

  const policy = match(path, `/fluffy/signed-policy/${ID}`);
  if (method === 'GET' && policy !== null)
    return { call: { kind: 'signed-policy', sha256: policy[0] ?? '' }, fields: {} };

  const egress = match(path, `/fluffy/egress/${SANDBOX}`);
  if (method === 'GET' && egress !== null)
    return { call: { kind: 'egress', sandbox: (egress[0] ?? '') as SandboxId }, fields: {} };

  const container = match(path, `/containers/${ID}(?:/([a-z]+))?`);
  if (container === null) return null;
  const [id = '', verb] = container;
  if (method === 'DELETE' && verb === undefined)
    return { call: { kind: 'container-remove', id }, fields: { force: BOOLEAN, v: BOOLEAN } };
  if (method === 'GET' && verb === 'json') return { call: { kind: 'container-inspect', id }, fields: {} };
  if (method === 'GET' && verb === 'logs') return { call: { kind: 'container-logs', id }, fields: LOG_FIELDS };
  if (method === 'POST' && isAction(verb)) {
    return { call: { kind: 'container-do', id, action: verb }, fields: ACTIONS[verb] };
  }
  return null;
}

function isAction(verb: string | undefined): verb is ContainerAction {
  return verb !== undefined && Object.hasOwn(ACTIONS, verb);
}

function match(text: string, pattern: string): (string | undefined)[] | null {
  return new RegExp(`^${pattern}$`).exec(text)?.slice(1) ?? null;
}

function parseQuery(text: string, fields: Readonly<Record<string, RegExp>>): Record<string, string> | null {
  const query: Record<string, string> = {};
  for (const part of text === '' ? [] : text.split('&')) {
    const [name = '', value = '', ...rest] = part.split('=');
    const allowed = ownValue(fields, name);
    if (rest.length > 0 || allowed?.test(value) !== true || Object.hasOwn(query, name)) return null;
    query[name] = value;
  }
  return query;
}
