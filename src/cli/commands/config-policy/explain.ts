import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { usage } from '../../usage-error.ts';
import { POLICY_OPTION } from './policy-option.ts';

export const policyExplain = defineCommand({
  name: 'config policy explain',
  summary: 'Print what the policy decides about a call, and why',
  arguments: [
    { name: 'syscall', describe: 'For example fs.write' },
    { name: 'path', describe: 'The path that it is about' },
  ],
  options: {
    state: { type: 'string', requiresArg: true, describe: 'State of the workflow (default: idle)' },
    mode: { type: 'string', requiresArg: true, describe: 'Mode of the session (default: strict)' },
    tag: { type: 'string', array: true, requiresArg: true, describe: 'A tag of the caller; may be repeated' },
    plugin: { type: 'string', requiresArg: true, describe: 'The plugin that calls' },
    host: { type: 'string', requiresArg: true, describe: 'The host that it would connect to' },
    template: { type: 'string', requiresArg: true, describe: 'The template of the sandbox' },
    effects: { type: 'string', requiresArg: true, describe: 'Of shell.run: discard or stage' },
    ...POLICY_OPTION,
    batch: { type: 'boolean', default: false, describe: 'Read one request in JSON a line from standard input' },
  },
  examples: [
    { line: 'fluffy config policy explain fs.write src/a.ts --state code_writing', what: 'One call' },
    { line: 'fluffy config policy explain --batch < requests.jsonl', what: 'One answer a line, in the same order' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: ({ syscall, path, state, mode, tag, plugin, host, template, effects, batch, ...given }) => {
    if (batch && syscall !== undefined)
      throw usage(`config policy explain has no place for ${JSON.stringify(syscall)}`);
    if (batch) return { ...given, query: null };
    if (syscall === undefined) throw usage('config policy explain needs a syscall');
    return { ...given, query: { syscall, path, host, state, mode, tags: tag, plugin, template, effects } };
  },
  run: async (input, services) => (await import('./policy-commands.ts')).explainPolicy(input, services),
});
