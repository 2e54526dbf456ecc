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
import { addTests, approve, edit, reject } from './review.ts';
import { fork, rename, resume, rewind, startNew } from './sessions.ts';
import type { SlashCommand } from './slash-command.ts';
import { theme } from './theme.ts';
import { redo, undo } from './undo.ts';
import { vim } from './vim.ts';

/** Related commands under one heading in /help. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly SlashCommand[];
}

const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Mode', commands: [strict, explore, debug] },
  { title: 'Task', commands: [status, plan, tests, proof, why, diff] },
  { title: 'Review', commands: [approve, edit, reject, addTests, undo, redo, reset] },
  { title: 'Model', commands: [model, effort, budget, cost, context, compact, pin, unpin] },
  { title: 'Session', commands: [resume, startNew, fork, rewind, rename, exportSession] },
  { title: 'Project', commands: [policy, audit, sandboxes, agentsFile, init] },
  { title: 'Program', commands: [theme, vim, keys, doctor, feedback, help, quit] },
];

/** Every command, in the order of /help. */
export const SLASH_COMMANDS: readonly SlashCommand[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

interface OwnCommands {
  readonly ownCommands: readonly SlashCommand[];
}

/** The commands that can be typed now. Built-in ones come first: of two with one name, the first counts. */
export function commandsOf({ ownCommands }: OwnCommands): readonly SlashCommand[] {
  return [...SLASH_COMMANDS, ...ownCommands];
}

/** The same, under their headings. */
export function commandGroupsOf({ ownCommands }: OwnCommands): readonly CommandGroup[] {
  return ownCommands.length === 0
    ? COMMAND_GROUPS
    : [...COMMAND_GROUPS, { title: 'Of your own', commands: ownCommands }];
}
