import type { SessionMode } from '../../contracts/session/workflow-states.ts';
import type { SlashCommand } from './slash-command.ts';

export const strict = mode('strict', 'tests first: the source opens after a new test fails', ['tdd']);
export const explore = mode('explore', 'no test has to fail first; commits are unverified', ['ask']);
export const debug = mode('debug', 'inspect and run commands, each with your approval', []);

/** The next mode for Shift-Tab. Not debug, which may need a review: nobody should have to decide a review to get back. */
export function modeAfter(mode: SessionMode): SlashCommand {
  return mode === 'strict' ? explore : strict;
}

function mode(name: SessionMode, help: string, synonyms: readonly string[]): SlashCommand {
  return {
    name,
    argument: null,
    help,
    synonyms,
    needs: 'kernel',
    run: async (_, context) => {
      const before = context.mode;
      const { ok, reason } = await context.request('session.set_mode', { mode: name });
      // An event reports the change.
      if (!ok || before === name) context.note(reason);
    },
  };
}
