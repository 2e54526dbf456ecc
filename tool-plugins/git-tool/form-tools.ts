import {
  gitFiltersInputSchema,
  gitFiltersResultSchema,
  gitFormsInputSchema,
  gitFormsResultSchema,
} from '../../src/contracts/sandbox/git-tool.ts';
import { defineTool } from '../sdk/index.ts';
import { filtersOf, formsOf } from './git-forms.ts';
import { openGit } from './run-git.ts';

export const filtersTool = defineTool(
  {
    name: 'git.filters',
    description: 'Says which of the given paths go through a filter.',
    input: gitFiltersInputSchema,
    outputMode: 'full',
  },
  async ({ paths }, context) => {
    const filters = await filtersOf(await openGit(context), paths);
    return gitFiltersResultSchema.parse({ filtered: [...filters].map(([path, filter]) => ({ path, filter })) });
  },
);

export const formsTool = defineTool(
  {
    name: 'git.forms',
    description: 'Says what git would store of the given files.',
    input: gitFormsInputSchema,
    outputMode: 'full',
  },
  async ({ parent, paths, users_autocrlf }, context) =>
    gitFormsResultSchema.parse({ forms: await formsOf(await openGit(context, users_autocrlf), parent, paths) }),
);
