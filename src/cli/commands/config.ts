import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../lib/escape-terminal.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import { secretServiceKeyring, setKey } from '../../host/secrets/index.ts';
import type { Command } from '../arguments.ts';
import { usage } from '../arguments.ts';
import { projectConfigSchema, userConfigSchema } from '../config/config-schema.ts';
import { detectTestCommand } from '../config/detect-test-command.ts';
import { initialConfig } from '../config/initial-config.ts';
import { loadProjectConfig, loadUserConfig } from '../config/load-config.ts';
import type { Output } from '../headless/printer.ts';
import { readPipedInput } from '../headless/read-stdin.ts';
import { detectProject } from '../project/detect-project.ts';
import { openProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';

type ConfigCommand = Extract<Command, { kind: 'config' }>;

/** `fluffy config init|get|set|list|set-key`. A file is checked as a whole before it is replaced. */
export async function configCommand(
  command: ConfigCommand,
  env: Environment,
  output: Output,
  stdin: NodeJS.ReadStream,
): Promise<ExitCode> {
  const user = userDirs(env);
  const userFile = env['FLUFFY_CONFIG'] ?? user.configFile;
  switch (command.action) {
    case 'init':
      return init(command, env, output);
    case 'list':
    case 'get': {
      const merged = await effective(command, env, userFile);
      if (command.action === 'list') {
        output.stdout(command.json ? `${escapeJsonForTerminal(JSON.stringify(merged))}\n` : lines(merged));
        return EXIT.done;
      }
      const value = lookUp(merged, required(command.key, 'config get needs a key'));
      if (value === undefined) throw usage(`${command.key ?? ''} is not set`);
      output.stdout(
        typeof value === 'string' && !command.json
          ? `${escapeTerminal(value)}\n`
          : `${escapeJsonForTerminal(JSON.stringify(value))}\n`,
      );
      return EXIT.done;
    }
    case 'set': {
      const key = required(command.key, 'config set needs a key and a value');
      const value = required(command.value, 'config set needs a value');
      const file = command.projectScope
        ? projectFile((await openProject(command.project, command.allowRoot, env)).project.root)
        : userFile;
      await setValue(file, key, value, command.projectScope);
      output.stderr(`${key} is set in ${file}\n`);
      return EXIT.done;
    }
    case 'set-key': {
      const provider = required(command.key, 'config set-key needs the provider, and the key on standard input');
      // It becomes the name of a file.
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(provider))
        throw usage(`${JSON.stringify(provider)} is no provider's name`);
      if (stdin.isTTY) output.stderr(`Paste the key of ${provider}, then Enter and Ctrl-D:\n`);
      const piped = stdin.isTTY ? await readAll(stdin) : await readPipedInput(stdin);
      if (piped.kind !== 'text') throw usage('no key came on standard input');
      const stored = await setKey(provider, piped.text, {
        keysDirectory: user.keys,
        keyring: secretServiceKeyring(env),
      });
      const where = stored === 'keyring' ? 'the keyring' : join(user.keys, provider);
      output.stderr(`The key of ${provider} is stored in ${where}\n`);
      return EXIT.done;
    }
  }
}

async function init(command: ConfigCommand, env: Environment, output: Output): Promise<ExitCode> {
  const { project } = await openProject(command.project, command.allowRoot, env);
  const file = projectFile(project.root);
  if (
    await readFile(file).then(
      () => true,
      () => false,
    )
  )
    throw usage(`${file} is there already; change it with fluffy config set --project-scope`);
  const { text, report } = initialConfig(file, detectTestCommand(project.root, project.cwd));
  await writeWhole(file, text);
  output.stdout(escapeTerminal(report, { multiline: true }));
  return EXIT.done;
}

async function effective(command: ConfigCommand, env: Environment, userFile: string): Promise<Record<string, unknown>> {
  const user = await loadUserConfig(userFile);
  // Outside of a project there is none to read; a project's file that cannot be used is an error.
  const root = await findRoot(command, env);
  const project = root === null ? {} : await loadProjectConfig(root);
  const fromEnvironment = {
    ...(env['FLUFFY_MODEL'] === undefined ? {} : { model: env['FLUFFY_MODEL'] }),
    ...(env['FLUFFY_MODE'] === undefined ? {} : { mode: env['FLUFFY_MODE'] }),
  };
  return { ...user, ...project, ...fromEnvironment };
}

async function findRoot(command: ConfigCommand, env: Environment): Promise<string | null> {
  const found = await detectProject(resolve(command.project ?? '.'), env, { allowRoot: command.allowRoot });
  return found.kind === 'ok' ? found.project.root : null;
}

async function setValue(file: string, key: string, value: string, project: boolean): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '');
  const document = parseDocument(before === '' ? '{}' : before);
  if (document.errors.length > 0 || !isMap(document.contents)) throw usage(`${file} is no YAML mapping; mend it first`);
  if (before === '') document.contents.flow = false;
  document.setIn(key.split('.'), parseDocument(value).toJS() as unknown);
  const schema = project ? projectConfigSchema : userConfigSchema;
  const checked = schema.safeParse(document.toJS());
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw usage(`${key} cannot be ${JSON.stringify(value)}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  await writeWhole(file, document.toString());
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, text, { mode: 0o600 });
}

async function readAll(stdin: NodeJS.ReadStream): Promise<{ kind: 'text'; text: string }> {
  let text = '';
  for await (const chunk of stdin) text += String(chunk);
  return { kind: 'text', text };
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

function projectFile(root: string): string {
  return join(root, '.fluffy', 'config.yaml');
}

function required(value: string | undefined, why: string): string {
  if (value === undefined || value === '') throw usage(why);
  return value;
}
