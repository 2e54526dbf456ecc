import type { RequestParams } from '../../contracts/session/session-protocol.ts';
import type { SlashCommand } from './slash-command.ts';

export const status = description('status', 'session, state, plan, red tests, what waits', [
  'info',
  'state',
  'session',
]);
export const budget = description('budget', 'turns, tokens and money, and their limits', ['usage', 'stats', 'limits']);
export const context = description('context', 'how full the window of the model is, and with what', [
  'tokens',
  'window',
]);
export const cost = description('cost', 'tokens and money by model and kind', ['costs', 'spending']);
export const plan = description('plan', 'the plan of the task, and how far it is', ['todo', 'todos', 'steps']);
export const tests = description('tests', 'the suite before the task, what was red, and the last whole run', ['test']);
export const proof = description('proof', 'what was observed of the change, and what no test noticed', ['evidence']);
export const why = description('why', 'the last refusal: every rule behind it, and what would change it', [
  'explain',
  'denied',
]);
export const policy = description('policy', 'the rules in force, and what they approve alone', [
  'rules',
  'permissions',
  'approvals',
  'allowed-tools',
]);
export const audit = description('audit', 'the newest records of this session', ['log']);
export const sandboxes = description('sandboxes', 'the sandboxes of this session that run', ['containers', 'ps']);
export const agentsFile = description('agents-file', 'AGENTS.md and CLAUDE.md as the model gets them', [
  'memory',
  'agents',
]);
export const diff = description('diff', 'everything that is staged', ['changes', 'staged', 'show']);

function description(
  what: RequestParams<'session.describe'>['what'],
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
