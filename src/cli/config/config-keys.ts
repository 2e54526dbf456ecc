import { z } from 'zod';
import { projectConfigSchema, userConfigSchema } from './config-schema.ts';

/** Still accepted; newer keys have the same meaning. */
const OLDER_KEYS: readonly string[] = ['small_model', 'session_limits.cost_usd', 'session_limits.tokens'];

/** The keys that `config set` accepts, from the schemas, each with its possible words if it has a fixed choice. */
export function configKeys(): ReadonlyMap<string, readonly string[]> {
  const keys = [userConfigSchema, projectConfigSchema].flatMap((schema) => keysIn('', schema));
  return new Map(keys.filter(([key]) => !OLDER_KEYS.includes(key)));
}

function keysIn(prefix: string, schema: unknown): readonly (readonly [string, readonly string[]])[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion)
    return [[prefix, choicesOf(inner)], ...inner.options.flatMap((each) => keysOfMapping(prefix, each))];
  if (!(inner instanceof z.ZodObject)) return [[prefix, choicesOf(inner)]];
  return Object.entries(inner.shape).flatMap(([name, each]) =>
    keysIn(prefix === '' ? name : `${prefix}.${name}`, each),
  );
}

/** The keys of one variant of a value, if it is a mapping. */
function keysOfMapping(prefix: string, schema: unknown): readonly (readonly [string, readonly string[]])[] {
  return unwrapped(schema) instanceof z.ZodObject ? keysIn(prefix, schema) : [];
}

function choicesOf(schema: unknown): readonly string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodEnum) return inner.options.map(String);
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(String);
  if (inner instanceof z.ZodBoolean) return ['true', 'false'];
  return inner instanceof z.ZodUnion ? inner.options.flatMap(choicesOf) : [];
}

/** The input type: without a default, before conversion. */
function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}
