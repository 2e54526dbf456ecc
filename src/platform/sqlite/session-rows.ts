import { z } from 'zod';
import type { FluffyEvent } from '../../contracts/session/events.ts';
import { fluffyEventSchema } from '../../contracts/session/events.ts';
import { modelMessageSchema } from '../../contracts/model/model.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';
import type { SessionRow } from '../../contracts/ports/session-store.ts';
import { sessionFactSchemas } from '../../contracts/session/session-facts.ts';
import type { SessionFacts } from '../../contracts/session/session-facts.ts';
import { progressSchema } from '../../contracts/session/session-snapshot.ts';
import type { Progress } from '../../contracts/session/session-snapshot.ts';
import { SESSION_STATUSES } from '../../contracts/session/session-status.ts';
import { SESSION_MODES, SESSION_STATES } from '../../contracts/session/workflow-states.ts';
import { databaseFailure } from './sqlite-failure.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** Rows of the session tables, parsed when they are read from the database. */
/** The order in which the first session is the newest: an archived one only if there is no other. */
export const NEWEST_FIRST = "ORDER BY status = 'archived', updated_ms DESC, ordinal DESC";
export const SESSION_COLUMNS = 'id, title, created_ms, updated_ms, state, mode, status, commits';

const commitsSchema = jsonText(z.array(z.string()));

export const sessionRowSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  created_ms: z.number().int(),
  updated_ms: z.number().int(),
  state: z.enum(SESSION_STATES),
  mode: z.enum(SESSION_MODES),
  status: z.enum(SESSION_STATUSES),
  commits: commitsSchema,
});

/** Throws FluffyError `database_row_invalid`. */
export function parseSessionRow(row: unknown): SessionRow {
  return parse(sessionRowSchema, row, 'A session');
}

export function parseProgress(body: string): Progress {
  return parse(jsonText(progressSchema), body, 'The progress of a session');
}

/** A fact without a row is null. */
export function parseFacts(rows: readonly { readonly name: string; readonly body: string }[]): SessionFacts {
  const bodies = new Map(rows.map(({ name, body }) => [name, body]));
  const fact = <T>(name: keyof typeof sessionFactSchemas, schema: z.ZodType<T>): T | null => {
    const body = bodies.get(name);
    return body === undefined ? null : parse(jsonText(schema), body, `The fact ${name} of a session`);
  };
  return {
    baseline: fact('baseline', sessionFactSchemas.baseline),
    red: fact('red', sessionFactSchemas.red),
    green: fact('green', sessionFactSchemas.green),
    proof: fact('proof', sessionFactSchemas.proof),
    prepared: fact('prepared', sessionFactSchemas.prepared),
    review: fact('review', sessionFactSchemas.review),
    context: fact('context', sessionFactSchemas.context),
  };
}

export function parseMessageBody(body: string): ModelMessage {
  return parse(jsonText(modelMessageSchema), body, 'A message of a session');
}

export function parseEventBody(body: string): FluffyEvent {
  return parse(jsonText(fluffyEventSchema), body, 'An event of a session');
}

function jsonText<S extends z.ZodType>(schema: S) {
  return z
    .string()
    .transform((text, context) => {
      const value = parseJson(text);
      if (value === undefined) context.addIssue({ code: 'custom', message: 'not JSON' });
      return value;
    })
    .pipe(schema);
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw databaseFailure('database_row_invalid', `${what} cannot be read`, new Error(z.prettifyError(parsed.error)));
}
