import type { ProjectPath } from '../../contracts/ids.ts';
import type { RequestResult } from '../../contracts/session/session-protocol.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { MAX_EDITED_CHARACTERS } from '../../contracts/session/review-requests.ts';
import { withLine } from '../../lib/edits/with-line.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import { callForUser } from '../call/call-for-user.ts';
import { proposeCommit } from '../commit/propose-commit.ts';
import { withCollectedTests } from '../proof/run/collected-tests.ts';
import { move } from '../record/fire-event.ts';
import { endOf, finish } from '../run/end-run.ts';
import { openSession } from '../run/open-session.ts';
import type { Services, SessionContext } from '../services.ts';
import type { Session } from '../session/session.ts';
import { forNextTask } from '../session/snapshot.ts';
import { titleOf } from '../session/title.ts';
import { dropTask } from './drop-task.ts';

type Answer = RequestResult<'session.note'>;

/**
 * Adds a note of the user to the project's memory file. It is staged, tested and proposed as a commit like a change of
 * the model, with the same policy and records, but without a request to a model. If it is refused, nothing stays
 * staged; if it needs a decision, it waits without a run.
 */
export async function noteForUser(
  shared: Services,
  session: Session,
  text: string,
  signal: AbortSignal,
): Promise<Answer> {
  if (session.state !== 'idle') {
    return refused(
      `A task is under way (state ${session.state}). Finish it, or drop it with /reset, then write the note.`,
    );
  }
  if (session.snapshot.options.test_command === null)
    return refused('No test command is known for this project, and each commit is tested.');
  const services = withCollectedTests(shared, session);
  session.beginRun(forNextTask(session.snapshot, `A note: ${text}`, services.clock.nowMs()));
  if (session.row.title === '') session.updateRow({ title: titleOf(text) });
  const workspace = await services.workspaces.open(session.id);
  try {
    await openSession(services, session, signal);
    const why = await propose({ services, session, workspace, signal }, text);
    if (why === null) return { outcome: 'proposed', message: '' };
    await workspace.reset();
    dropTask(services, session);
    return refused(why);
  } catch (error) {
    await workspace.reset();
    dropTask(services, session);
    const end = endOf(error, signal);
    if (end.kind === 'interrupted') return refused('It was interrupted.');
    throw error;
  }
}

type Call = readonly [tool: string, input: object];

/** null: committed, or waiting for a decision; otherwise the reason why not. */
async function propose(context: SessionContext, text: string): Promise<string | null> {
  const { services, session, workspace } = context;
  const file = await memoryFile(workspace);
  const before = await textOf(workspace, file);
  if (before === null) return `${file} is no text of at most ${MAX_EDITED_CHARACTERS} characters.`;
  move(services, session, 'user_message');
  const reason = `The user wrote a note for ${file}.`;
  const opening: Call =
    session.mode === 'strict'
      ? ['workflow.request_exemption', { category: 'documentation', affected_paths: [file], reason }]
      : ['plan.complete', { summary: reason, steps: [] }];
  const writing: Call = ['fs.write', { path: file, content: withLine(before, text) }];
  for (const call of [opening, writing, ['test.run', {}] as Call]) {
    const [reply] = await callForUser(context, [call]);
    if (reply?.ok !== true) return reply?.content ?? 'It was interrupted.';
  }
  if (session.state !== 'reviewing') return `It is in ${file} already.`;
  const said = `The user wrote a note for the project into ${file}, which is proposed as a commit:\n${text}`;
  session.push({ role: 'user', text: said, author: 'kernel' });
  const result = await proposeCommit(context, `Add a note to ${file}\n\n${text}`, { awaitsPerson: false });
  if (result.kind === 'continue') return result.message;
  await services.anchor();
  finish(services, session, result.end);
  return null;
}

const MEMORY_FILES = ['AGENTS.md', 'CLAUDE.md'] as ProjectPath[];

/** The first memory file that the project has, or else the first name. */
async function memoryFile(workspace: Workspace): Promise<ProjectPath> {
  for (const path of MEMORY_FILES) {
    const found = await workspace.resolve(path, { leaf: 'follow' });
    if (found.kind === 'ok' && found.exists) return path;
  }
  return 'AGENTS.md' as ProjectPath;
}

/** '' if the file is missing; null if it is not text that a line can be added to. */
async function textOf(workspace: Workspace, path: ProjectPath): Promise<string | null> {
  const read = await workspace.read(path, MAX_EDITED_CHARACTERS);
  if (read.kind === 'missing') return '';
  return read.kind === 'file' && !read.bytes.includes(0) ? decodeUtf8(read.bytes) : null;
}

function refused(message: string): Answer {
  return { outcome: 'refused', message };
}
