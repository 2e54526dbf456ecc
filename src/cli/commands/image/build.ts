import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { BASE_OPTION } from '../shared-options.ts';

export const imageBuild = defineCommand({
  name: 'image build',
  summary: 'Build the sandbox images that are missing or old',
  arguments: [],
  options: { ...BASE_OPTION },
  examples: [{ line: 'fluffy image build --base host', what: 'Without a registry' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime],
  read: (given) => given,
  run: async (input, services) => (await import('../../image/image-commands.ts')).buildImages(input, services),
});
