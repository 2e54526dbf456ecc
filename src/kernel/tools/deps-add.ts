import { z } from 'zod';
import {
  PACKAGE_MANAGER_NAMES,
  memberDirectorySchema,
  packageFeatureSchema,
  packageManagerSchema,
  packageNameSchema,
  packageRequestSchema,
  packageVersionSchema,
} from '../../contracts/sandbox/package-managers.ts';
import { isWellKnown, lookAlike, lookAlikeWarning } from '../../lib/packages/well-known.ts';
import { PACKAGE_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';

export const depsAdd = defineTool({
  name: 'deps.add',
  description:
    'Add a package of the registry to the project: manifest and lockfile are staged, and tests and commands can use it. A human is asked first. Install scripts do not run.',
  input: z.strictObject({
    name: packageNameSchema.describe(
      'For Go: the path of a module (adds what all of its packages need), or of one package.',
    ),
    version: packageVersionSchema.optional().describe('Version, range or tag; default: the newest.'),
    dev: z.boolean().optional().describe('Only for development and tests; not for requirements.txt and Go.'),
    features: z
      .array(packageFeatureSchema)
      .max(20)
      .optional()
      .describe('Features of a crate to switch on; only for cargo.'),
    directory: memberDirectorySchema
      .optional()
      .describe(
        'Of the workspace member that gets it, such as packages/a; default: the top. For workspaces of npm, pnpm and Yarn 1.',
      ),
    manager: packageManagerSchema.optional().describe('Where the project has packages of several.'),
  }),
  place: 'packages',
  effect: 'run',
  plugin: PACKAGE_TOOL,
  states: WRITING,
  opens: `It stages manifest and lockfile. ${WRITING_OPENS}`,
  warnings: ({ name, manager }) => {
    const managers = manager === undefined ? PACKAGE_MANAGER_NAMES : [manager];
    if (managers.some((each) => isWellKnown(each, name))) return [];
    const known = managers.flatMap((each) => lookAlike(each, name) ?? []);
    return [...new Set(known)].map((each) => lookAlikeWarning(name, each));
  },
  describe: ({ name, version, dev, features = [], directory }) =>
    `${name}${version === undefined ? '' : `@${version}`}${features.length === 0 ? '' : ` with ${features.join(', ')}`}${dev === true ? ' for development' : ''}${directory === undefined ? '' : ` in ${directory}`}`,
  perform: ({ manager, ...input }, context) => {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return context.packages(packageRequestSchema.parse({ kind: 'add', dev: false, ...given }), manager);
  },
});
