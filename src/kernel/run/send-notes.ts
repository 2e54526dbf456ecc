import { plannedKind } from '../../contracts/review/change-kinds.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import { modelInUse } from '../session/model-in-use.ts';
import { describeCommand } from '../runners/describe-command.ts';
import { spentBy } from './limits.ts';
import { environmentNote } from './prompt/environment-note.ts';
import { folderNote, touchedFolders } from './prompt/folder-notes.ts';
import { projectLayout } from './prompt/layout.ts';
import { projectMap } from './prompt/project-map.ts';
import { projectNote } from './prompt/project-note.ts';
import { notesOf } from './prompt/project-notes.ts';
import { stateNote } from './prompt/state-note.ts';
import type { RunContext } from './run-context.ts';

/** Maximum number of files for the layout. */
const MAX_FILES = 3_000;
const ROOT = '' as ProjectPath;
const RECENT_COMMITS = 8;

/**
 * Appends to the conversation what the model does not know yet: the environment, the project, notes of the directories
 * that it works in, and the session's state with open tools and limits. Earlier messages are never changed.
 */
export async function sendNotes(context: RunContext): Promise<void> {
  const { session } = context;
  const sent = session.snapshot.notes_sent;
  const environment = sent.environment ?? (await environmentOf(context));
  const project = projectOf(context);
  const folders = await foldersOf(context);
  const state = stateOf(context);
  const news = [
    ...(sent.environment === null ? [environment] : []),
    ...(project === (sent.project ?? '') ? [] : [project]),
    ...(folders.note === null ? [] : [folders.note]),
    ...(state === sent.state ? [] : [state]),
  ];
  if (news.length === 0 && folders.seen.length === 0) return;
  for (const text of news.filter((each) => each !== '')) session.push({ role: 'user', text, author: 'kernel' });
  const seen = [...session.snapshot.notes_sent.folders, ...folders.seen];
  session.update({ notes_sent: { environment, project, state, folders: seen } });
  session.save();
}

async function environmentOf(context: RunContext): Promise<string> {
  const { services, session, workspace } = context;
  const { snapshot } = session;
  const { paths, truncated } = await workspace.glob('**/*', ROOT, MAX_FILES);
  const subjects = await services.commits.recentSubjects(RECENT_COMMITS);
  const { patterns } = services.policy().sanitizer;
  return environmentNote({
    date: new Date(services.clock.nowMs()).toISOString().slice(0, 10),
    branch: snapshot.base?.branch ?? null,
    cwd: snapshot.options.cwd,
    uncommitted: snapshot.dirty_at_start ?? [],
    subjects: subjects.map((each) => redactSecrets(each, patterns).text),
    layout: projectLayout(paths, truncated),
    network: services.options.test_network ?? null,
    map: truncated ? '' : await projectMap(context, paths),
  });
}

function projectOf({ session, notes }: RunContext): string {
  const { test_command: command, user_notes: userNotes = null } = session.snapshot.options;
  return projectNote({ testRunner: command === null ? null : describeCommand(command), userNotes, notes });
}

async function foldersOf(
  context: RunContext,
): Promise<{ readonly note: string | null; readonly seen: readonly string[] }> {
  const { notes_sent, options } = context.session.snapshot;
  const seen = touchedFolders(context.session.messages, options.cwd, notes_sent.folders);
  const notes = seen.length === 0 ? '' : await notesOf(context, seen);
  return { note: notes === '' ? null : folderNote(notes), seen };
}

function stateOf({ services, session }: RunContext): string {
  const { snapshot } = session;
  return stateNote({
    mode: session.mode,
    kind: plannedKind(snapshot.kind),
    state: session.state,
    exempt: snapshot.exemption !== null,
    openTools: services.tools().availableIn(session.state),
    editFormat: modelInUse(session).edit_format,
    red: (snapshot.red?.cases ?? []).map((id) => id.replace('\0', ' › ')),
    limits: snapshot.options.limits,
    spent: spentBy(session, null),
  });
}
