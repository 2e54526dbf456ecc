import type { RequestParams } from '../../contracts/session/session-protocol.ts';
import type { SlashCommand } from './slash-command.ts';

export const status = description('status', 'session, state, plan, red tests, what waits for you', [
  'info',
  'state',
  'session',
]);
export const budget = description('budget', 'tokens, turns, money, coverage, and their limits', ['usage', 'limits']);
export const context = description('context', "how full the model's context is, and what fills it", [
  'tokens',
  'window',
]);
export const cost = description('cost', 'tokens and money, by model and kind of token', ['costs', 'spending', 'stats']);
export const plan = description('plan', 'the plan of the task, and its progress', ['todo', 'todos', 'steps']);
export const tests = description('tests', 'results: before the task, red, and the last full run', ['test']);
export const proof = description('proof', 'the proof: observations, findings, unnoticed mutants', ['evidence']);
export const why = description('why', 'the last refusal: its rules, and what would change it', ['explain', 'denied']);
export const policy = description('policy', 'the rules in force, and what policy approves by itself', [
  'rules',
  'permissions',
  'approvals',
  'allowed-tools',
]);
export const audit = description('audit', 'the newest audit records of this session', ['log']);
export const sandboxes = description('sandboxes', 'the running sandboxes of this session', ['containers', 'ps']);
export const agentsFile = description('agents-file', 'AGENTS.md and CLAUDE.md as they are sent to the model', [
  'memory',
  'agents',
]);
export const diff = description('diff', 'all staged changes', ['changes', 'staged', 'show']);

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
