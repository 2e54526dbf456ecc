import { z } from 'zod';
import type { ProjectPath } from '../../contracts/ids.ts';
import { applyHunks } from '../../lib/edits/apply-hunks.ts';
import { parsePatch, pathsOf } from '../../lib/edits/parse-patch.ts';
import type { FilePatch } from '../../lib/edits/parse-patch.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { describeLeniency } from './shared/describe-leniency.ts';
import { MAX_CONTENT_CHARACTERS } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';
import type { FileEdit, FileRewrite, Rewrite } from './tool-context.ts';

const inputSchema = z
  .strictObject({ patch: z.string().min(1).max(MAX_CONTENT_CHARACTERS) })
  .transform(({ patch }, context): { readonly patch: string; readonly files: readonly FilePatch[] } => {
    const parsed = parsePatch(patch);
    if (parsed.kind === 'invalid') context.addIssue({ code: 'custom', message: parsed.why, path: ['patch'] });
    return { patch, files: parsed.kind === 'ok' ? parsed.files : [] };
  });

/**
 * Policy is asked about each file as for the tool that does only this step, so rules about `fs.edit` or `fs.delete`
 * hold here too.
 */
const SYSCALLS = { add: 'fs.write', update: 'fs.edit', delete: 'fs.delete', move: 'fs.move' } as const;

export const fsPatch = defineTool({
  name: 'fs.patch',
  synonyms: ['apply_patch', 'patch'],
  description: `Change files by a patch, completely or not at all. Form:
*** Begin Patch
*** Update File: src/a.js
@@ function f() {
 context line
-old line
+new line
*** Add File: src/b.js
+whole content
*** Delete File: src/c.js
*** End Patch
An update may be followed by "*** Move to: path". Give three lines of context, and "@@ line" headers if that is not unique.`,
  input: inputSchema,
  inputSchema: {
    type: 'object',
    properties: { patch: { type: 'string', description: 'From "*** Begin Patch" to "*** End Patch".' } },
    required: ['patch'],
    additionalProperties: false,
  },
  foreign: { names: { patch: ['input', 'patch_text', 'diff'] } },
  place: 'patch',
  effect: 'write',
  plugin: FS_TOOL,
  states: WRITING,
  opens: WRITING_OPENS,
  paths: ({ files }) => files.flatMap(pathsOf),
  syscalls: ({ files }) => files.flatMap(syscallsOf),
  perform: ({ files }, { named, patchAll }) => {
    let at = 0;
    const next = (): ProjectPath => {
      const path = named[at];
      at += 1;
      if (path === undefined) throw new Error('a patch with fewer paths than files');
      return path;
    };
    return patchAll(files.map((file) => editOf(file, next)));
  },
});

function syscallsOf(file: FilePatch): readonly (readonly string[])[] {
  if (file.kind !== 'update' || file.moveTo === null) return [[SYSCALLS[file.kind]]];
  return [[SYSCALLS.move], [SYSCALLS.move, SYSCALLS.add]];
}

/** `next` returns the resolved paths of `pathsOf`, in order. */
function editOf(file: FilePatch, next: () => ProjectPath): FileEdit {
  const path = next();
  switch (file.kind) {
    case 'add':
      return { kind: 'write', path, rewrite: () => ({ kind: 'text', text: file.content }) };
    case 'delete':
      return { kind: 'delete', path };
    case 'update': {
      const rewrite: FileRewrite['rewrite'] = (before) => updated(path, file, before);
      return file.moveTo === null ? { kind: 'write', path, rewrite } : { kind: 'move', path, to: next(), rewrite };
    }
    default:
      return assertNever(file);
  }
}

function updated(path: string, { hunks }: Extract<FilePatch, { kind: 'update' }>, before: string | null): Rewrite {
  if (before === null) {
    const message = `${path} does not exist. Use "*** Add File: " for a new file.`;
    return { kind: 'refused', code: 'not_found', message };
  }
  if (hunks.length === 0) return { kind: 'text', text: before };
  const outcome = applyHunks(before, hunks);
  if (outcome.kind === 'refused') {
    return { kind: 'refused', code: outcome.code, message: `${path}: ${outcome.message} Nothing was changed.` };
  }
  return {
    kind: 'text',
    text: outcome.text,
    ...describeLeniency(outcome.matched === undefined ? [] : [outcome.matched]),
  };
}
