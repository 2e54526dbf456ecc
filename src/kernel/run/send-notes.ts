import { plannedKind } from '../../contracts/change-kinds.ts';
import { describeCommand } from '../runners/describe-command.ts';
import { spentBy } from './limits.ts';
import { projectNote } from './prompt/project-note.ts';
import { stateNote } from './prompt/state-note.ts';
import type { RunContext } from './run-context.ts';

/**
 * Adds to the end of the conversation what the model does not know yet: the project, and the state of the session with its open tools and limits.
 * Earlier messages are never changed.
 */
export function sendNotes({ services, session, notes }: RunContext): void {
  const { snapshot } = session;
  const command = snapshot.options.test_command;
  const project = projectNote({ testRunner: command === null ? null : describeCommand(command), notes });
  const state = stateNote({
    mode: session.mode,
    kind: plannedKind(session.snapshot.kind),
    state: session.state,
    exempt: snapshot.exemption !== null,
    openTools: services.tools().availableIn(session.state),
    red: (snapshot.red?.cases ?? []).map((id) => id.replace('\0', ' › ')),
    limits: snapshot.options.limits,
    spent: spentBy(snapshot, services.clock.nowMs()),
  });
  const news = [
    ...(project === (snapshot.notes_sent.project ?? '') ? [] : [project]),
    ...(state === snapshot.notes_sent.state ? [] : [state]),
  ];
  if (news.length === 0) return;
  for (const text of news.filter((each) => each !== '')) session.push({ role: 'user', text, author: 'kernel' });
  session.update({ notes_sent: { project, state } });
  session.save();
}
