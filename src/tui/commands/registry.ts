import { compact } from './compact.ts';
import {
  agentsFile,
  audit,
  budget,
  context,
  cost,
  diff,
  plan,
  policy,
  proof,
  sandboxes,
  status,
  tests,
  why,
} from './descriptions.ts';
import { exportSession } from './export.ts';
import { help, keys } from './help.ts';
import { init } from './init.ts';
import { effort, model } from './models.ts';
import { debug, explore, strict } from './modes.ts';
import { pin, unpin } from './pins.ts';
import { quit } from './quit.ts';
import { doctor, feedback } from './reports.ts';
import { reset } from './reset.ts';
import { approve, edit, reject } from './review.ts';
import { fork, rename, resume, rewind, startNew } from './sessions.ts';
import type { SlashCommand } from './slash-command.ts';
import { theme } from './theme.ts';
import { redo, undo } from './undo.ts';
import { vim } from './vim.ts';

/** Every command, in the order of /help. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  strict,
  explore,
  debug,
  status,
  budget,
  context,
  cost,
  model,
  effort,
  compact,
  pin,
  unpin,
  plan,
  tests,
  proof,
  why,
  policy,
  audit,
  sandboxes,
  agentsFile,
  init,
  diff,
  approve,
  edit,
  reject,
  reset,
  undo,
  redo,
  resume,
  startNew,
  fork,
  rewind,
  rename,
  exportSession,
  theme,
  vim,
  keys,
  doctor,
  feedback,
  help,
  quit,
];

/** Those that can be typed now. Ours come first: of two with one name, the first one counts. */
export function commandsOf({
  ownCommands,
}: {
  readonly ownCommands: readonly SlashCommand[];
}): readonly SlashCommand[] {
  return [...SLASH_COMMANDS, ...ownCommands];
}
