import { z } from 'zod';
import type { AuditEntry } from '../../../contracts/audit-entry.ts';
import { sandboxTemplateSchema } from '../../../contracts/sandbox/guard-api.ts';
import { COMMAND_EFFECTS, CORE_TAGS } from '../../../contracts/policy.ts';
import type { PolicyRequest } from '../../../contracts/policy.ts';
import type { ConstraintFacts } from '../constraints.ts';

/** A request as it was decided, with the facts that were known then. Older records do not have them. */
export interface AuditedRequest extends PolicyRequest {
  readonly facts?: ConstraintFacts;
}

/** The content of `metadata.asked`: the request without its paths. A null template means no sandbox. */
const askedSchema = z.strictObject({
  tags: z.array(z.string()),
  plugin: z.string().optional(),
  host: z.string().optional(),
  effects: z.enum(COMMAND_EFFECTS).optional(),
  template: sandboxTemplateSchema.nullable(),
  token: z.boolean(),
  size: z.number(),
  /** Number of paths of the request, including those that were left out. */
  paths: z.number(),
});

const targetsSchema = z.array(z.string());

/** The maximum of a record's field. */
const MAX_TARGETS_CHARACTERS = 1900;

/**
 * The metadata of a call's record from which its requests, which differ only in their paths, can be made again: all
 * paths, or as many as fit.
 */
export function requestMetadata(
  requests: readonly [PolicyRequest, ...PolicyRequest[]],
  { template = null, hasToken = false, sizeBytes = 0 }: ConstraintFacts,
): { readonly targets: string; readonly asked: string } {
  const [{ tags, plugin, host, effects }] = requests;
  const paths: string[] = [];
  let characters = 2;
  for (const { path } of requests) {
    if (path === undefined) continue;
    characters += JSON.stringify(path).length + 1;
    if (characters > MAX_TARGETS_CHARACTERS) break;
    paths.push(path);
  }
  const asked: z.input<typeof askedSchema> = {
    tags: [...tags],
    ...(plugin === undefined ? {} : { plugin }),
    ...(host === undefined ? {} : { host }),
    ...(effects === undefined ? {} : { effects }),
    template,
    token: hasToken,
    size: sizeBytes,
    paths: requests.filter(({ path }) => path !== undefined).length,
  };
  return { targets: JSON.stringify(paths), asked: JSON.stringify(asked) };
}

/**
 * The requests behind an audited call, one for each path. Older records have no `metadata.asked`; at that time only
 * shipped tools could be called. The oldest records have a single path without spaces in `input_summary`. Empty for a
 * record that is no call or cannot be read, and for the use of a capability, whose call has a record of its own.
 */
export function auditedRequests(entry: AuditEntry): readonly AuditedRequest[] {
  if (entry.event_type !== 'syscall' || entry.syscall_type === undefined) return [];
  if (entry.policy_decision === 'allowed_by_token') return [];
  const asked = parsed(askedSchema, entry.metadata?.['asked']);
  const base = {
    syscall: entry.syscall_type,
    state: entry.state_machine_state,
    mode: entry.session_mode,
    tags: CORE_TAGS,
    ...(typeof entry.caller === 'object' ? { plugin: entry.caller.plugin } : {}),
    ...(asked === null ? {} : askedAs(asked)),
  };
  const paths = targetsOf(entry);
  // A request whose paths could not be kept is not a request without a path.
  if (paths.length === 0) return (asked?.paths ?? 0) > 0 ? [] : [base];
  return paths.map((path) => ({ ...base, path }));
}

function askedAs(asked: z.infer<typeof askedSchema>): Partial<AuditedRequest> {
  const { tags, plugin, host, effects, template, token, size } = asked;
  return {
    tags,
    ...(plugin === undefined ? {} : { plugin }),
    ...(host === undefined ? {} : { host }),
    ...(effects === undefined ? {} : { effects }),
    ...(template === null ? {} : { template }),
    facts: { template, hasToken: token, sizeBytes: size },
  };
}

function targetsOf(entry: AuditEntry): readonly string[] {
  const recorded = entry.metadata?.['targets'];
  if (recorded !== undefined) return parsed(targetsSchema, recorded) ?? [];
  return entry.syscall_type?.startsWith('fs.') === true && /^\S+$/.test(entry.input_summary)
    ? [entry.input_summary]
    : [];
}

function parsed<T>(schema: z.ZodType<T>, text: string | undefined): T | null {
  if (text === undefined) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
