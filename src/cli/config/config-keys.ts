import { z } from 'zod';
import { projectConfigSchema, userConfigSchema } from './config-schema.ts';

/** They are still read, and newer keys say the same. */
const OLDER_KEYS: readonly string[] = ['small_model', 'session_limits.cost_usd', 'session_limits.tokens'];

/** The keys that `config set` takes, by the schemas; each with the words that it can be, where it is one of some. */
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

/** Of one form of a value, if it is a mapping. */
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

/** What is put in: without a default, and before it is converted. */
function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}
