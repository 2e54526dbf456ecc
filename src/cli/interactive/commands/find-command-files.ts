import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { SLASH_COMMANDS } from '../../../tui/commands/registry.ts';
import type { CommandFile } from '../../../tui/commands/own-command.ts';
import { parseCommandFile } from './parse-command-file.ts';

const MAX_BYTES = 32 * 1024;
const MAX_FILES = 100;

export interface FoundCommands {
  readonly files: readonly CommandFile[];
  /** Files that are no valid commands, each with the reason. */
  readonly problems: readonly string[];
}

export interface CommandFolders {
  /** The user's configuration directory. */
  readonly config: string;
  readonly projectRoot: string;
}

/** The commands of the user, then those of the project. For equal names, built-in commands come first, then the user's. */
export async function findCommandFiles({ config, projectRoot }: CommandFolders): Promise<FoundCommands> {
  const ofUser = await filesIn(join(config, 'commands'), 'user');
  const ofProject = await commandsOfProject(projectRoot);
  const names = new Map<string, string>(SLASH_COMMANDS.map(({ name }) => [name, 'fluffy has a command of this name']));
  const files: CommandFile[] = [];
  const problems = [...ofUser.problems, ...ofProject.problems];
  for (const file of [...ofUser.files, ...ofProject.files]) {
    const taken = names.get(file.name);
    if (taken === undefined) files.push(file);
    else problems.push(problem(folderOf(file.of), `${file.name}.md`, taken));
    names.set(file.name, taken ?? 'you have a command of this name');
  }
  return { files, problems };
}

const NONE: FoundCommands = { files: [], problems: [] };

/** No part of the path may be a link: through it a file of the user could be read and sent to a model. */
async function commandsOfProject(root: string): Promise<FoundCommands> {
  for (const folder of [join(root, '.fluffy'), join(root, '.fluffy', 'commands')]) {
    const found = await lstat(folder).catch(() => null);
    if (found === null) return NONE;
    if (!found.isDirectory())
      return { files: [], problems: [`${folder} is not a directory: no command in it is used`] };
  }
  return filesIn(join(root, '.fluffy', 'commands'), 'project');
}

async function filesIn(folder: string, of: CommandFile['of']): Promise<FoundCommands> {
  const listed = await readdir(folder).catch(() => []);
  const names = listed.filter((name) => name.endsWith('.md')).sort();
  const read = await Promise.all(names.slice(0, MAX_FILES).map((name) => readCommand(folder, name, of)));
  const files = read.flatMap((each) => (each.kind === 'command' ? [each.file] : []));
  const unusable = read.flatMap((each, index) =>
    each.kind === 'unusable' ? [problem(folderOf(of), names[index] ?? '', each.why)] : [],
  );
  const more = names.length - MAX_FILES;
  const left = more > 0 ? [`${folder} has ${more} files more than the ${MAX_FILES} that are read`] : [];
  return { files, problems: [...unusable, ...left] };
}

async function readCommand(
  folder: string,
  name: string,
  of: CommandFile['of'],
): Promise<ReturnType<typeof parseCommandFile>> {
  try {
    // Users keep their own configuration behind links. Opening a named pipe would wait.
    const follow = of === 'user' ? 0 : constants.O_NOFOLLOW;
    const file = await open(join(folder, name), constants.O_RDONLY | constants.O_NONBLOCK | follow);
    try {
      const found = await file.stat();
      if (!found.isFile()) return { kind: 'unusable', why: 'it is not a file' };
      if (found.size > MAX_BYTES) return { kind: 'unusable', why: 'it has more than 32 KiB' };
      const text = decodeUtf8(await file.readFile());
      return text === null ? { kind: 'unusable', why: 'it is not UTF-8' } : parseCommandFile(name, text, of);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: 'unusable', why: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` };
  }
}

function folderOf(of: CommandFile['of']): string {
  return of === 'user' ? 'commands' : '.fluffy/commands';
}

function problem(folder: string, name: string, why: string): string {
  return `${folder}/${name} is not a command: ${why}.`;
}
