import { lstat, readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { readYaml } from '../../kernel/policy/document/read-yaml.ts';
import { projectConfigSchema, userConfigSchema } from './config-schema.ts';
import type { ProjectConfig, UserConfig } from './config-schema.ts';

const MAX_BYTES = 1024 * 1024;

export function loadUserConfig(file: string): Promise<UserConfig> {
  return load(file, userConfigSchema, false);
}

/** Keys that a project's file may not set say so: they would reach beyond the sandbox. */
export async function loadProjectConfig(projectRoot: string): Promise<ProjectConfig> {
  const folder = `${projectRoot}/.fluffy`;
  // A link would have a file of the user's, or a device, read and quoted in an error.
  if ((await lstat(folder).catch(() => null))?.isSymbolicLink() === true)
    throw invalid(folder, 'it is a symbolic link');
  return load(`${folder}/config.yaml`, projectConfigSchema, true);
}

/** Only a missing file means defaults. An empty, unreadable or invalid one throws FluffyError `config_invalid` with file:line:column. */
async function load<S extends z.ZodType>(file: string, schema: S, project: boolean): Promise<z.infer<S>> {
  let text: string;
  try {
    if (project && !(await lstat(file)).isFile()) throw invalid(file, 'it is not a regular file');
    if ((await stat(file)).size > MAX_BYTES) throw invalid(file, 'the file is larger than 1 MiB');
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return schema.parse({});
    if (error instanceof FluffyError) throw error;
    throw invalid(file, `it cannot be read (${code ?? String(error)})`);
  }
  const read = readYaml(text, file);
  if (read.kind === 'empty') throw invalid(file, 'it is empty; remove it to use the defaults');
  if (read.kind === 'invalid') {
    const [first] = read.errors;
    throw invalid(`${file}:${first?.line ?? 1}:${first?.column ?? 1}`, first?.message ?? 'it is no YAML');
  }
  const parsed = schema.safeParse(read.tree.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  const { line, column } = read.tree.locate(path as PropertyKey[], unknown !== undefined);
  throw invalid(`${file}:${line}:${column}`, `${path.join('.')}: ${describe(issue, project)}`);
}

function describe(issue: z.core.$ZodIssue, project: boolean): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const known = Object.keys(userConfigSchema.shape).includes(String(issue.keys[0]));
  return project && known && issue.path.length === 0
    ? "a project's file cannot set this; it belongs into your own configuration"
    : 'unknown key';
}

function invalid(where: string, why: string): FluffyError {
  return new FluffyError({
    code: 'config_invalid',
    what: `The configuration ${where} cannot be used`,
    why,
    fix: 'Mend that place in the file; docs/configuration.md lists every key',
    exitCode: EXIT.usage,
  });
}
