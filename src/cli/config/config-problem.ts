import { z } from 'zod';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import { userConfigSchema } from './config-schema.ts';

export interface ConfigProblem {
  readonly path: readonly PropertyKey[];
  readonly why: string;
  /** The key at `path` is what is wrong, not its value. */
  readonly ofKey: boolean;
}

/** The problem to report of those that a schema found: an unknown key first, since what it was meant for is missing then. */
export function configProblem(error: z.ZodError, schema: z.ZodType, project: boolean): ConfigProblem {
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown === undefined) {
    const [issue] = error.issues;
    return { path: issue?.path ?? [], why: issue?.message ?? 'not valid', ofKey: false };
  }
  const key = unknown.keys[0] ?? '';
  return { path: [...unknown.path, key], why: whyUnknown(key, unknown.path, schema, project), ofKey: true };
}

function whyUnknown(key: string, path: readonly PropertyKey[], schema: z.ZodType, project: boolean): string {
  if (project && path.length === 0 && Object.hasOwn(userConfigSchema.shape, key))
    return "a project's file cannot set this; it belongs in your own configuration";
  const known = keysAt(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), path);
  const nearest = nearestWord(key, known);
  return nearest === null
    ? `unknown key; known here: ${known.join(', ')}`
    : `unknown key; the nearest is ${JSON.stringify(nearest)}`;
}

function keysAt(node: z.core.JSONSchema._JSONSchema, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<z.core.JSONSchema._JSONSchema>((parent, part) => {
    if (typeof parent === 'boolean') return parent;
    return parent.properties?.[String(part)] ?? parent.additionalProperties ?? false;
  }, node);
  return typeof at === 'boolean' ? [] : Object.keys(at.properties ?? {});
}
