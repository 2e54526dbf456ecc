import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const imageList = defineCommand({
  name: 'image list',
  summary: 'List the sandbox images',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy image list', what: 'Names, ids and when they were built' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('../../image/image-commands.ts')).listImages(input, services),
});
