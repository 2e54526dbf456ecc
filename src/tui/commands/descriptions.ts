import type { SlashCommand } from './slash-command.ts';

export const status = description('status', 'session, state, plan, red tests, what waits', [
  'info',
  'state',
  'session',
]);
export const budget = description('budget', 'turns, tokens and money, and their limits', [
  'cost',
  'costs',
  'usage',
  'stats',
  'tokens',
  'limits',
]);
export const why = description('why', 'the last refusal: every rule behind it, and what would change it', [
  'explain',
  'permissions',
  'denied',
]);
export const diff = description('diff', 'everything that is staged', ['changes', 'staged', 'show']);

function description(
  what: 'status' | 'budget' | 'why' | 'diff',
  help: string,
  synonyms: readonly string[],
): SlashCommand {
  return {
    name: what,
    argument: null,
    help,
    synonyms,
    needs: 'session',
    run: async (_, context) => {
      const { text } = await context.request('session.describe', { what });
      if (what === 'diff') context.diff(text);
      else context.answer(text);
    },
  };
}
