import { z } from 'zod';
import { packageManagerSchema } from '../../contracts/sandbox/package-managers.ts';
import { PACKAGE_TOOL } from './plugins.ts';
import { NEXT_TASK, WRITING } from './shared/states.ts';
import { defineTool } from './tool.ts';

export const depsInstall = defineTool({
  name: 'deps.install',
  description:
    "Install the packages of the project's lockfile, only for tests and commands of fluffy: nothing in the project changes. Use it if the packages of the project are not installed. A human may be asked first. Install scripts do not run.",
  input: z.strictObject({
    manager: packageManagerSchema.optional().describe('Where the project has packages of several.'),
  }),
  place: 'packages',
  effect: 'run',
  plugin: PACKAGE_TOOL,
  states: ['planning', ...WRITING],
  opens: NEXT_TASK,
  describe: () => 'what the lockfile names',
  perform: ({ manager }, context) => context.packages({ kind: 'install' }, manager),
});
