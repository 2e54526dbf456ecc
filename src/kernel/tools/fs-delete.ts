import { z } from 'zod';
import { PATH_NAMES } from './shared/adapt-input.ts';
import { pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { onlyPath } from './tool-context.ts';

export const fsDelete = defineTool({
  name: 'fs.delete',
  synonyms: ['rm', 'delete', 'delete_file', 'remove_file'],
  description: 'Delete a file or a directory.',
  input: z.strictObject({ path: pathField }),
  foreign: { names: { path: PATH_NAMES } },
  place: 'overlay',
  effect: 'write',
  plugin: FS_TOOL,
  states: WRITING,
  opens: WRITING_OPENS,
  paths: ({ path }) => [path],
  target: 'tree',
  perform: (_input, context) => {
    const path = onlyPath(context);
    return context.change({ params: { path }, written: [], done: `Deleted ${path}` });
  },
});
