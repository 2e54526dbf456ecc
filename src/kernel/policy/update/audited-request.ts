import { z } from 'zod';
import type { AuditEntry } from '../../../contracts/audit-entry.ts';
import { sandboxTemplateSchema } from '../../../contracts/sandbox/guard-api.ts';
import { COMMAND_EFFECTS, CORE_TAGS } from '../../../contracts/policy.ts';
import type { PolicyRequest } from '../../../contracts/policy.ts';
import type { ConstraintFacts } from '../constraints.ts';

/** A request as it was asked, with what was known then about how it would run. Older records do not have this. */
export interface AuditedRequest extends PolicyRequest {
  readonly facts?: ConstraintFacts;
}

/** What `metadata.asked` says of a call beside its paths. A template of null: it is done in no sandbox. */
const askedSchema = z.strictObject({
  tags: z.array(z.string()),
  plugin: z.string().optional(),
  host: z.string().optional(),
  effects: z.enum(COMMAND_EFFECTS).optional(),
  template: sandboxTemplateSchema.nullable(),
  token: z.boolean(),
  size: z.number(),
  /** How many paths it was asked about, those included that there was no room for. */
  paths: z.number(),
});

const targetsSchema = z.array(z.string());

/** A field of a record holds no more. */
const MAX_TARGETS_CHARACTERS = 1900;

/**
 * What the record of a call keeps of the requests that were made for it, which differ in their paths alone, so that they can be made again: all paths,
 * or as many as there is room for.
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
 * The requests behind an audited call: one for each path it was asked about. Older records have no `metadata.asked`: only tools that ship could be called
 * then. The oldest tell a single path without a space in `input_summary`. Nothing for records that are no calls, or that can't be read back, nor for the use of a capability,
 * whose call has a record of its own.
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
  // One about a path that could not be kept is not one about none.
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
