import type { ProjectPath } from '../../contracts/ids.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { capText } from '../../lib/text/cap-text.ts';
import type { ForkedFrom } from '../../contracts/session/session-snapshot.ts';
import { listFirst } from '../../lib/text/list-first.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_NAMED = 20;
const MAX_NAMED_CHARACTERS = 200;

/**
 * Gives a new session the history, pins, stored outputs and staged files of another. Changes that cannot be copied this
 * way (deletions, links, old names of moved files) are named in the history, which would otherwise mention work that
 * does not exist. With `withoutLast` the history ends before that many messages of the person, and nothing is staged,
 * because the staged changes belong to the removed part.
 */
export async function copySession(services: Services, from: Session, to: Session, withoutLast = 0): Promise<void> {
  const history = from.history();
  const kept = withoutLast === 0 ? history : history.slice(0, placeOfMessage(history, withoutLast));
  const start = withoutLast === 0 ? describeFork(await copyStagedFiles(services, from, to)) : FORK_BEFORE;
  for (const message of kept) to.push(message);
  to.keepOutputsOf(from);
  const { pins, bytes_per_token, context } = from.snapshot;
  const forked_from = { session: from.id, ...lastSaid(kept) };
  to.update({ pins, bytes_per_token, inherited_messages: kept.length, forked_from });
  if (context !== null && context.start <= kept.length) to.setContext(context);
  to.push({ role: 'user', text: start, author: 'kernel' });
  to.updateRow({ title: from.row.title });
  to.save();
}

const FORK_BEFORE =
  'This session is a fork of the one above, from before a later message. It starts in state idle. Nothing is staged, and files are those of the project.';

/** Number of messages of the person, and the beginning of the last one. */
function lastSaid(history: readonly ModelMessage[]): Omit<ForkedFrom, 'session'> {
  const said = placesSaid(history);
  const last = history[said.at(-1) ?? -1];
  const [line = ''] = last?.role === 'user' ? last.text.trim().split('\n', 1) : [];
  return { after: said.length, text: capText(line, MAX_NAMED_CHARACTERS) };
}

/** Position of the last `last` messages of the person; 0 if there are fewer. */
function placeOfMessage(history: readonly ModelMessage[], last: number): number {
  return placesSaid(history).at(-last) ?? 0;
}

function placesSaid(history: readonly ModelMessage[]): readonly number[] {
  return history.flatMap(({ role, ...message }, place) =>
    role === 'user' && !('author' in message && message.author === 'kernel') ? [place] : [],
  );
}

async function copyStagedFiles(services: Services, from: Session, to: Session): Promise<readonly string[]> {
  return copyStaged(await services.workspaces.open(from.id), await services.workspaces.open(to.id));
}

/** Copies the staged files; returns the paths that could not be copied. */
async function copyStaged(from: Workspace, to: Workspace): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { path, after } of await from.changes()) {
    if (after.kind === 'directory') continue;
    const copied = after.kind === 'file' && (await copyFile(from, to, path as ProjectPath, after.executable));
    if (!copied) left.push(path);
  }
  return left;
}

async function copyFile(from: Workspace, to: Workspace, path: ProjectPath, executable: boolean): Promise<boolean> {
  const read = await from.read(path, MAX_FILE_BYTES);
  if (read.kind !== 'file') return false;
  const staged = await to.stage(path, await to.stat(path), read.bytes, executable);
  return staged.kind === 'staged';
}

function describeFork(left: readonly string[]): string {
  const start = 'This session is a fork of the one above. It starts in state idle, with the staged files.';
  if (left.length === 0) return start;
  return `${start} Not taken along, so as the project has it: ${listFirst(left, { max: MAX_NAMED })}.`;
}
