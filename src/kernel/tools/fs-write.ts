import { z } from 'zod';
import { contentField, pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { onlyPath } from './tool-context.ts';

export const fsWrite = defineTool({
  name: 'fs.write',
  synonyms: ['write', 'write_file', 'create_file', 'write_to_file'],
  description: 'Write a whole file, new or existing. Prefer fs.edit for a change to an existing file.',
  input: z.strictObject({ path: pathField, content: contentField }),
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
