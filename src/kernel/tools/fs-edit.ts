import { z } from 'zod';
import { PATH_NAMES } from './shared/adapt-input.ts';
import type { Fields } from './shared/adapt-input.ts';
import { applyEdit } from '../../lib/edits/apply-edit.ts';
import type { Leniency } from '../../lib/edits/match-lines.ts';
import { describeLeniency } from './shared/describe-leniency.ts';
import { MAX_CONTENT_CHARACTERS, contentField, pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { onlyPath } from './tool-context.ts';
import type { Rewrite } from './tool-context.ts';

const oldStringField = z
  .string()
  .max(MAX_CONTENT_CHARACTERS)
  .describe('Exact text to replace; must occur once unless replace_all.');

const inputSchema = z
  .strictObject({
    path: pathField,
    old_string: oldStringField.optional(),
    new_string: contentField.optional(),
    replace_all: z.boolean().optional(),
    edits: z
      .array(
        z.strictObject({ old_string: oldStringField, new_string: contentField, replace_all: z.boolean().optional() }),
      )
      .min(1)
      .max(100)
      .optional()
      .describe('In place of old_string and new_string: several, one after the other; all are made or none.'),
  })
  .refine(
    ({ old_string: old, new_string: replacement, edits }) =>
      edits === undefined
        ? old !== undefined && replacement !== undefined
        : old === undefined && replacement === undefined,
    { message: 'Give old_string and new_string, or edits.' },
  );
type EditInput = z.infer<typeof inputSchema>;

export const fsEdit = defineTool({
  name: 'fs.edit',
  synonyms: [
    'edit',
    'edit_file',
    'editor',
    'apply_edit',
    'search_replace',
    'replace_in_file',
    'multi_edit',
    'str_replace',
    'str_replace_editor',
    'str_replace_based_edit_tool',
    'replace',
    'multiedit',
  ],
  description:
    'Replace exact pieces of text in a file: one, or several with edits. Copy the old text as the file has it, without line numbers, with lines around it until it is unique.',
  input: inputSchema,
  foreign: {
    names: {
      path: PATH_NAMES,
      old_string: ['old_str', 'old_text', 'search', 'find'],
      new_string: ['new_str', 'new_text', 'replace', 'replacement'],
    },
    idle: ['instruction'],
    convert: asReplacement,
  },
  place: 'patch',
  effect: 'write',
  plugin: FS_TOOL,
  states: WRITING,
  opens: WRITING_OPENS,
  paths: ({ path }) => [path],
  perform: (input, context) => {
    const path = onlyPath(context);
    return context.patch({ path, rewrite: (before) => rewriteOf(path, input, before) });
  },
});

/** Drops the command name of editors with several commands; this tool is the replacement. */
function asReplacement({ command, ...rest }: Fields): Fields {
  return command === undefined || command === 'str_replace' ? rest : { command, ...rest };
}

function rewriteOf(path: string, input: EditInput, before: string | null): Rewrite {
  if (before === null) {
    return { kind: 'refused', code: 'not_found', message: `${path} does not exist. Use fs.write for a new file.` };
  }
  const { old_string = '', new_string = '', replace_all } = input;
  const edits = input.edits ?? [{ old_string, new_string, replace_all }];
  const matched: Leniency[] = [];
  let text = before;
  for (const [index, edit] of edits.entries()) {
    const outcome = applyEdit(text, edit.old_string, edit.new_string, edit.replace_all ?? false);
    if (outcome.kind === 'refused') {
      const which = edits.length === 1 ? '' : ` edit ${index + 1} of ${edits.length}, so none was made:`;
      return { kind: 'refused', code: outcome.code, message: `${path}:${which} ${outcome.message}` };
    }
    text = outcome.text;
    if (outcome.matched !== undefined) matched.push(outcome.matched);
  }
  return { kind: 'text', text, ...describeLeniency(matched) };
}
