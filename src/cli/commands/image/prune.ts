import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const imagePrune = defineCommand({
  name: 'image prune',
  summary: 'Remove sandbox images that are no longer used',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy image prune', what: 'Images that a container still uses stay' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime],
  read: (given) => given,
  run: async (input, services) => (await import('../../image/image-commands.ts')).pruneUnused(input, services),
});
