import type { SessionOptions } from '../../contracts/session/session-protocol.ts';
import type { SessionMode } from '../../contracts/session/workflow-states.ts';
import type { OpenProject } from '../open-project.ts';
import type { RunArguments } from '../run-arguments.ts';
import { storedChoice } from '../session/read-sessions.ts';

export interface SessionAtStart {
  /** '' while it is not known which session it is. */
  readonly model: string;
  readonly mode: SessionMode;
}

/** What the first lines say before the kernel has said it: model and mode of the session that is resumed, or of a new one. */
export function sessionAtStart(
  { resume, mode }: Pick<RunArguments, 'resume' | 'mode'>,
  { dirs }: Pick<OpenProject, 'dirs'>,
  options: Pick<SessionOptions, 'model' | 'mode'>,
  isModelChosen: boolean,
): SessionAtStart {
  if (resume === null) return { model: options.model, mode: options.mode };
  const stored = resume.session === null ? null : storedChoice(dirs.database, resume.session);
  return {
    model: isModelChosen ? options.model : (stored?.model ?? ''),
    mode: resume.fork || mode !== undefined ? options.mode : (stored?.mode ?? options.mode),
  };
}
