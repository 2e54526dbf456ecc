import { z } from 'zod';
import { PATH_NAMES } from './shared/adapt-input.ts';
import { contentField, pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { onlyPath } from './tool-context.ts';

export const fsWrite = defineTool({
  name: 'fs.write',
  synonyms: ['write', 'write_file', 'create', 'create_file', 'write_to_file', 'save_file'],
  description: 'Write a whole file, most often a new one. To change a file that exists, use fs.edit or fs.patch.',
  input: z.strictObject({ path: pathField, content: contentField }),
  foreign: { names: { path: PATH_NAMES, content: ['file_text', 'contents', 'file_content'] } },
  place: 'patch',
  effect: 'write',
  plugin: FS_TOOL,
  states: WRITING,
  opens: WRITING_OPENS,
  paths: ({ path }) => [path],
  sizeBytes: ({ content }) => Buffer.byteLength(content),
  perform: ({ content }, context) =>
    context.patch({
      path: onlyPath(context),
      rewrite: () => ({ kind: 'text', text: content }),
    }),
});
