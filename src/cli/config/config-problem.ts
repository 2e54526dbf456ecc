import { z } from 'zod';
import { firstText } from '../../lib/text/first-last.ts';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import { userConfigSchema } from './config-schema.ts';

export interface ConfigProblem {
  readonly path: readonly PropertyKey[];
  readonly why: string;
  /** The key at `path` is wrong, not its value. */
  readonly ofKey: boolean;
}

/** The problem to report among those that a schema found: an unknown key first, because the intended key is then missing. */
export function configProblem(error: z.ZodError, schema: z.ZodType, project: boolean): ConfigProblem {
  const issues = error.issues.flatMap(meantIssues);
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown === undefined) {
    const [issue] = issues;
    return { path: issue?.path ?? [], why: issue?.message ?? 'not valid', ofKey: false };
  }
  const key = firstText(unknown.keys);
  return { path: [...unknown.path, key], why: whyUnknown(key, unknown.path, schema, project), ofKey: true };
}

/** For a value with several possible forms, the problems of the matching form; if no form matches, the problem itself. */
function meantIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((issues) =>
    issues.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return meant === undefined
    ? [issue]
    : meant.flatMap((each) => meantIssues({ ...each, path: [...issue.path, ...each.path] }));
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
    return formOf(parent).properties?.[String(part)] ?? parent.additionalProperties ?? false;
  }, node);
  return typeof at === 'boolean' ? [] : Object.keys(formOf(at).properties ?? {});
}

/** Of several forms, the one with keys. */
function formOf(node: Exclude<z.core.JSONSchema._JSONSchema, boolean>): typeof node {
  const forms = (node.anyOf ?? []).filter((form) => typeof form !== 'boolean');
  return forms.find(({ properties }) => properties !== undefined) ?? node;
}
