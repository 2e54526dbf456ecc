import { lchown, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { findEndpoint, providerEndpoints } from '../../host/secrets/index.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { readRegularFile } from '../../lib/files/read-regular-file.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { jsonLine } from '../../lib/json-line.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { openProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';
import { detectProject } from '../project/detect-project.ts';
import { usage } from '../usage-error.ts';
import { configProblem } from './config-problem.ts';
import { projectConfigSchema, userConfigSchema } from './config-schema.ts';
import { MAX_CONFIG_BYTES, loadProjectConfig, loadUserConfig, userConfigFile } from './load-config.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

interface KeyInput extends GlobalInput {
  readonly key: string;
}

interface ChangeInput extends KeyInput {
  readonly projectScope: boolean;
}

/** `fluffy config list`: the effective values from command line, environment, project and user. */
export async function listConfig(command: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  const merged = await effective(command, env);
  output.stdout(command.json ? jsonLine(merged) : lines(merged));
  return EXIT.done;
}

export async function getConfig(command: KeyInput, { env, output }: CliServices): Promise<ExitCode> {
  const value = lookUp(await effective(command, env), command.key);
  if (value === undefined) throw usage(`${command.key} is not set`, 'fluffy config list shows what is set');
  output.stdout(typeof value === 'string' && !command.json ? `${escapeTerminal(value)}\n` : jsonLine(value));
  return EXIT.done;
}

/** `fluffy config set`: the whole file is checked before it is replaced. */
export async function setConfig(
  command: ChangeInput & { readonly value: string },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const target = await fileToChange(command, env);
  if (command.key === 'model') await checkModel(command.value, env);
  await setIn(target, command);
  output.stderr(`${command.key} is set in ${target.file}\n`);
  return EXIT.done;
}

/** Sets a value in the user's file. Resolves to the file. Throws FluffyError `config_invalid`, `usage`. */
export async function setUserValue(key: string, value: string, env: Environment): Promise<string> {
  const file = userConfigFile(env);
  await loadUserConfig(file);
  await setIn({ file }, { key, value, projectScope: false });
  return file;
}

async function setIn(
  { file, root }: FileToChange,
  change: Pick<ChangeInput, 'key' | 'projectScope'> & { readonly value: string },
): Promise<void> {
  const { key, value } = change;
  const document = await readDocument(file);
  checkPlace(document, key);
  document.setIn(key.split('.'), parseDocument(value).toJS() as unknown);
  checkDocument(document, change, `${key} cannot be ${JSON.stringify(value)}`);
  await writeWhole(file, document.toString(), root);
}

/** `fluffy config unset`: removes a value, and the mappings that become empty. */
export async function unsetConfig(command: ChangeInput, { env, output }: CliServices): Promise<ExitCode> {
  const { key } = command;
  const { file, root } = await fileToChange(command, env);
  const document = await readDocument(file);
  const path = key.split('.');
  if (!document.hasIn(path)) throw usage(`${key} is not set in ${file}`, 'fluffy config list shows what is set');
  document.deleteIn(path);
  for (let depth = path.length - 1; depth > 0; depth -= 1) {
    const parent = document.getIn(path.slice(0, depth));
    if (isMap(parent) && parent.items.length === 0) document.deleteIn(path.slice(0, depth));
  }
  checkDocument(document, command, `${key} cannot be removed`);
  await writeWhole(file, document.toString(), root);
  output.stderr(`${key} is no longer set in ${file}\n`);
  return EXIT.done;
}

interface FileToChange {
  readonly file: string;
  /** Root of the project that contains it. */
  readonly root?: string;
}

async function fileToChange(command: ChangeInput, env: Environment): Promise<FileToChange> {
  if (!command.projectScope) {
    const file = userConfigFile(env);
    // A mistake that already exists is reported at its own place, and not as a fault of the new value.
    await loadUserConfig(file);
    return { file };
  }
  const { root } = (await openProject(command.project, command.allowRoot, env, { commitsNothing: true })).project;
  return { file: projectFile(root), root };
}

/** Throws FluffyError `usage`, `unknown_provider`: otherwise every later start would fail. */
async function checkModel(model: string, env: Environment): Promise<void> {
  const [provider = '', ...name] = model.split('/');
  const { providers } = await loadUserConfig(userConfigFile(env));
  const endpoints = providerEndpoints(providers, env);
  const known = [...endpoints.keys(), 'replay'].join(', ');
  if (provider === '' || name.join('/') === '')
    throw usage(
      `model cannot be ${JSON.stringify(model)}: it is provider/model`,
      `For example fluffy config set model anthropic/claude-sonnet-4-5; providers: ${known}`,
    );
  if (provider !== 'replay') findEndpoint(endpoints, provider);
}

async function readDocument(file: string): Promise<Document> {
  const read = await readRegularFile(file, { maxBytes: MAX_CONFIG_BYTES, links: 'followed' });
  if (read.kind === 'refused')
    throw usage(`${file} cannot be changed: ${read.why}`, 'Put a file in its place, or remove it');
  const before = read.kind === 'missing' ? '' : read.bytes.toString('utf8');
  const document = parseDocument(before === '' ? '{}' : before);
  if (document.errors.length > 0 || !isMap(document.contents))
    throw usage(`${file} is no YAML mapping`, 'Fix it first');
  if (before === '') document.contents.flow = false;
  return document;
}

/** Throws FluffyError `usage` if a parent of the key is no mapping. */
function checkPlace(document: Document, key: string): void {
  const path = key.split('.');
  for (let depth = 1; depth < path.length; depth += 1) {
    const parent = path.slice(0, depth);
    if (!document.hasIn(parent) || isMap(document.getIn(parent))) continue;
    const name = parent.join('.');
    throw usage(`${key} cannot be set: ${name} has a value of its own`, `First: fluffy config unset ${name}`);
  }
}

/** Throws FluffyError `usage`. */
function checkDocument(document: Document, command: Pick<ChangeInput, 'projectScope'>, what: string): void {
  const schema = command.projectScope ? projectConfigSchema : userConfigSchema;
  const checked = schema.safeParse(document.toJS());
  if (checked.success) return;
  const { path, why } = configProblem(checked.error, schema, command.projectScope);
  throw usage(`${what}: ${path.join('.')}: ${why}`, 'docs/configuration.md lists every key');
}

async function effective(command: GlobalInput, env: Environment): Promise<Record<string, unknown>> {
  const user = await loadUserConfig(userConfigFile(env));
  // Outside of a project there is no project file; an unusable project file is an error.
  const root = await findRoot(command, env);
  const project = root === null ? {} : await loadProjectConfig(root);
  const fromEnvironment = {
    ...(env['FLUFFY_MODEL'] === undefined ? {} : { model: env['FLUFFY_MODEL'] }),
    ...(env['FLUFFY_MODE'] === undefined ? {} : { mode: env['FLUFFY_MODE'] }),
  };
  // The user decides the limits of a test run; the project decides everything else about it.
  const test = { ...user.test, ...project.test };
  return { ...user, ...project, ...(Object.keys(test).length === 0 ? {} : { test }), ...fromEnvironment };
}

async function findRoot(command: GlobalInput, env: Environment): Promise<string | null> {
  const found = await detectProject(resolve(command.project ?? '.'), env, {
    allowRoot: command.allowRoot,
    commitsNothing: true,
  });
  return found.kind === 'ok' ? found.project.root : null;
}

/**
 * Writes a file of the user or of a project. In another user's project (root may write there) the file gets that owner, because the kernel runs as
 * the owner and must read it.
 */
export async function writeWhole(file: string, text: string, projectRoot?: string): Promise<void> {
  const made = await makeDirectories(dirname(file), 0o700);
  await writeFileAtomic(file, text, { mode: 0o600 });
  if (projectRoot === undefined || process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(projectRoot);
  for (const path of made === undefined ? [file] : [dirname(file), file]) await lchown(path, uid, gid);
}

function lookUp(value: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (at, part) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, part)
          ? (at as Record<string, unknown>)[part]
          : undefined,
      value,
    );
}

function lines(value: Record<string, unknown>): string {
  return Object.entries(value)
    .map(
      ([key, entry]) => escapeTerminal(`${key}: ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`) + '\n',
    )
    .join('');
}

export function projectFile(root: string): string {
  return join(root, '.fluffy', 'config.yaml');
}
