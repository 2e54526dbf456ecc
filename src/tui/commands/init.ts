import type { SlashCommand } from './slash-command.ts';

const TASK = `Write AGENTS.md at the root of this project, for agents and people who work on it.

Look around first: the manifest, the tests, the README, the layout of the source, and settings of other tools (CLAUDE.md, .cursor/rules, .github/copilot-instructions.md).
Say what the project is in one or two sentences; where what lives; the exact commands that install, build, check and test it, one test alone too; how its code is written where that differs from what is usual; and what must never be done.
Write only what you have read or seen run here: 20 to 60 lines, no general advice. If there is an AGENTS.md, keep what still holds, correct the rest, and add what is missing.
It is documentation: no test has to fail first. Change no other file.`;

/** The task that other tools call so. Its result is reviewed like any other change. */
export const init: SlashCommand = {
  name: 'init',
  argument: null,
  help: 'ask the model to write AGENTS.md',
  synonyms: ['onboard'],
  needs: 'nothing',
  run: (_, context) => context.call('/init', { name: 'init', of: 'user', text: TASK }),
};
