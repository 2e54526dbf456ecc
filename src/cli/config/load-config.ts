import { lstat } from 'node:fs/promises';
import type { z } from 'zod';
import { userDirs } from '../../contracts/host-layout.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { readRegularFile } from '../../lib/files/read-regular-file.ts';
import { readYaml } from '../../kernel/policy/document/read-yaml.ts';
import { configProblem } from './config-problem.ts';
import { projectConfigSchema, userConfigSchema } from './config-schema.ts';
import type { ProjectConfig, UserConfig } from './config-schema.ts';

export const MAX_CONFIG_BYTES = 1024 * 1024;

/** The user's own file, or the one that the environment names instead. */
export function userConfigFile(env: Readonly<Record<string, string | undefined>>): string {
  return env['FLUFFY_CONFIG'] ?? userDirs(env).configFile;
}

export function loadUserConfig(file: string): Promise<UserConfig> {
  return load(file, userConfigSchema, false);
}

/** Keys that a project's file may not set are reported as such: they would have effects outside the sandbox. */
export async function loadProjectConfig(projectRoot: string): Promise<ProjectConfig> {
  const folder = `${projectRoot}/.fluffy`;
  // Through a link a file of the user, or a device, would be read and quoted in an error.
  if ((await lstat(folder).catch(() => null))?.isSymbolicLink() === true)
    throw invalid(folder, 'it is a symbolic link');
  return load(`${folder}/config.yaml`, projectConfigSchema, true);
}

/** Only a missing file means defaults. An empty, unreadable or invalid one throws FluffyError `config_invalid` with file:line:column. */
async function load<S extends z.ZodType>(file: string, schema: S, project: boolean): Promise<z.infer<S>> {
  const found = await readRegularFile(file, { maxBytes: MAX_CONFIG_BYTES, links: project ? 'refused' : 'followed' });
  if (found.kind === 'missing') return schema.parse({});
  if (found.kind === 'refused') throw invalid(file, found.why);
  const text = found.bytes.toString('utf8');
  const read = readYaml(text, file);
  if (read.kind === 'empty') throw invalid(file, 'it is empty; remove it to use the defaults');
  if (read.kind === 'invalid') {
    const [first] = read.errors;
    throw invalid(`${file}:${first?.line ?? 1}:${first?.column ?? 1}`, first?.message ?? 'it is no YAML');
  }
  const parsed = schema.safeParse(read.tree.value);
  if (parsed.success) return parsed.data;
  const { path, why, ofKey } = configProblem(parsed.error, schema, project);
  const { line, column } = read.tree.locate(path, ofKey);
  throw invalid(`${file}:${line}:${column}`, path.length === 0 ? why : `${path.join('.')}: ${why}`);
}

function invalid(where: string, why: string): FluffyError {
  return new FluffyError({
    code: 'config_invalid',
    what: `The configuration ${where} cannot be used`,
    why,
    fix: 'Fix that place in the file; docs/configuration.md lists every key',
    exitCode: EXIT.usage,
  });
}
