import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { usage } from '../../usage-error.ts';

export const imageUse = defineCommand({
  name: 'image use',
  summary: 'Run the tests and commands of this project in an image of yours',
  arguments: [
    {
      name: 'image',
      describe: 'Its name, such as golang:1.24, or its id (default: the image of devcontainer.json, after you confirm)',
    },
  ],
  options: {
    none: { type: 'boolean', default: false, describe: "Go back to the images of fluffy's own" },
  },
  examples: [
    { line: 'fluffy image use golang:1.24', what: 'Try it, and write it with its id into your own configuration' },
    { line: 'fluffy image use --none', what: "Back to fluffy's own images" },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime],
  read: ({ image, none, ...others }) => {
    if (none && image !== undefined) throw usage('an image and --none exclude each other');
    return { ...others, none, reference: image };
  },
  run: async (input, services) => (await import('../../image/use-image.ts')).useImage(input, services),
});
