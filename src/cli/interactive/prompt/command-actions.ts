import type { SessionRequest } from '../../../tui/commands/slash-command.ts';
import type { OwnCommands } from '../commands/own-commands.ts';
import type { ConversationParts } from '../conversation-parts.ts';
import { decideShownReview } from '../session/approve-files.ts';
import type { ApproveFilesParts } from '../session/approve-files.ts';
import type { ReviewParts } from '../session/decide-shown-review.ts';
import { editReview } from '../session/edit-review.ts';
import type { ModelSwitch } from '../session/model-switch.ts';
import type { SessionSwitch } from '../session/session-switch.ts';
import type { ThemeChoice } from '../theme-choice.ts';
import type { LineEntryParts } from './line-entry.ts';

interface ActionSources {
  readonly parts: ConversationParts;
  readonly request: SessionRequest;
  readonly warn: (text: string) => void;
  readonly review: ReviewParts;
  readonly session: SessionSwitch;
  readonly model: ModelSwitch;
  readonly theme: ThemeChoice;
  readonly commands: OwnCommands;
}

/** The actions that commands can perform. */
export function commandActions(sources: ActionSources): LineEntryParts['actions'] {
  const { parts, request, warn, review, session, model, theme, commands } = sources;
  const { store, edit, keepEdit, keepPatch, saveKeys, onLeave } = parts;
  const file: ApproveFilesParts['request'] = (params) => request('review.file', params);
  return {
    request,
    keepPatch,
    saveKeys,
    examine: () => parts.examine(store.current.model),
    writeFeedback: (said) => {
      const { sessionId, model: name } = store.current;
      return parts.writeFeedback({ said, sessionId, model: name });
    },
    decide: (choice) => decideShownReview({ ...review, keepPatch, request: file }, choice),
    editReview: (paths) => editReview({ ...review, edit, keepEdit, warn, request: file }, paths),
    leave: () => onLeave('quit'),
    pickSession: () => session.pick(),
    pickMessage: () => session.pickMessage(),
    startNewSession: () => session.startNewSession(),
    fork: () => session.fork(),
    writeExport: async (file) => parts.writeExport(await session.id(), file),
    pickTheme: () => theme.open(),
    keepTheme: (name) => theme.keep(name),
    pickModel: () => model.pick(),
    chooseModel: (name) => model.choose(name),
    setEffort: (text) => model.effort(text),
    isAccepted: (digest) => parts.commands.has(digest),
    accept: (digest) => parts.commands.add(digest),
    call: (typed, command) => commands.call(typed, command),
  };
}
