import { z } from 'zod';
import { applyEdit } from '../../lib/apply-edit.ts';
import { MAX_CONTENT_CHARACTERS, contentField, pathField } from './input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './states.ts';
import { defineTool } from './tool.ts';
import { onlyPath } from './tool-context.ts';

export const fsEdit = defineTool({
  name: 'fs.edit',
  description: 'Replace an exact piece of text in a file.',
  input: z.strictObject({
    path: pathField,
    old_string: z
      .string()
      .min(1)
      .max(MAX_CONTENT_CHARACTERS)
      .describe('Exact text to replace; must occur once unless replace_all.'),
    new_string: contentField,
    replace_all: z.boolean().optional(),
  }),
  place: 'patch',
  effect: 'write',
  plugin: FS_TOOL,
  states: WRITING,
  opens: WRITING_OPENS,
  paths: ({ path }) => [path],
  perform: ({ path: _, ...edit }, context) => {
    const path = onlyPath(context);
    return context.patch({
      path,
      params: edit,
      refuseMissing: `${path} does not exist. Use fs.write for a new file.`,
      expected: (before) => {
        const edited = applyEdit(before, edit.old_string, edit.new_string, edit.replace_all ?? false);
        return edited.kind === 'edited' ? edited.text : null;
      },
    });
  },
});
