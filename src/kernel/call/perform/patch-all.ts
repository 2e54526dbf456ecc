import { createHash } from 'node:crypto';
import type { FsPatchInput } from '../../../contracts/model/tool-call.ts';
import { namedTwice } from '../../../lib/edits/parse-patch.ts';
import { createUnifiedDiff } from '../../../lib/diff/unified-diff.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { FileEdit } from '../../tools/tool-context.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { changeFiles } from './change.ts';
import { whyClosedInside } from './inside-source.ts';
import { patchFile, summaryOf, textBase } from './patch.ts';

/** One step for the sandbox, and its result. */
interface Planned {
  readonly step: FsPatchInput['files'][number];
  readonly summary: string;
  readonly diff: string;
}

/**
 * Changes several files together. The kernel computes the new content of each, a sandbox writes them, and the change is
 * kept only if every file is exactly as computed. A single written file takes the shorter way of `patchFile`.
 */
export async function patchFiles(
  context: CallContext,
  call: AuthorisedCall,
  files: readonly FileEdit[],
): Promise<ToolAnswer> {
  const twice = repeatedPath(files);
  if (twice !== null) return failure('invalid_input', namedTwice(twice));
  const [first] = files;
  if (files.length === 1 && first?.kind === 'write') return patchFile(context, call, first);
  const planned: Planned[] = [];
  for (const file of files) {
    const one = await plan(context, file);
    if ('ok' in one) return one;
    planned.push(one);
  }
  const answer = await changeFiles(context, call, {
    params: { files: planned.map(({ step }) => step) } satisfies FsPatchInput,
    written: files.flatMap((file) => (file.kind === 'delete' ? [] : [file.kind === 'move' ? file.to : file.path])),
    expected: new Map(planned.flatMap(({ step }) => contentOf(step))),
    done: planned.map(({ summary }) => summary).join('\n'),
  });
  return answer.ok ? { ...answer, diff: planned.map(({ diff }) => diff).join('') } : answer;
}

/** A link or another spelling can name a file that the patch already names; the edits would not see each other. */
function repeatedPath(files: readonly FileEdit[]): string | null {
  const known = new Set<string>();
  for (const path of files.flatMap((file) => (file.kind === 'move' ? [file.path, file.to] : [file.path]))) {
    if (known.has(path)) return path;
    known.add(path);
  }
  return null;
}

async function plan(context: CallContext, file: FileEdit): Promise<Planned | ToolAnswer> {
  const { workspace } = context;
  const { path } = file;
  const state = await workspace.stat(path);
  if (state.kind === 'directory') return failure('conflict', `${path} is a directory. Use fs.delete or fs.move.`);
  const base = await textBase(workspace, path, state);
  if (file.kind === 'delete') {
    const text = base.kind === 'ok' ? base.text : '';
    if (text === null) return failure('not_found', `${path} does not exist. Use fs.list to see what does.`);
    const kept = await whyClosedInside(context, { path, before: text, after: null });
    if (kept !== null) return kept;
    return { step: { kind: 'delete', path }, summary: `Deleted ${path}`, diff: createUnifiedDiff(path, text, '') };
  }
  if (base.kind === 'refused') return failure(base.code, base.message, base.code === 'conflict');
  const wanted = file.rewrite(base.text);
  if (wanted.kind === 'refused') return failure(wanted.code, wanted.message);
  const { text: content, note } = wanted;
  const before = base.text ?? '';
  const isMove = file.kind === 'move';
  const closed = await whyClosedInside(context, { path, before: base.text, after: isMove ? null : content });
  if (closed !== null) return closed;
  const diff = createUnifiedDiff(isMove ? file.to : path, before, content);
  const summary = [
    ...(isMove ? [`Moved ${path} to ${file.to}`] : []),
    ...(isMove && content === before ? [] : [summaryOf(isMove ? file.to : path, base.text, content, diff)]),
  ].join('; ');
  return {
    step: isMove ? { kind: 'move', from: path, to: file.to, content } : { kind: 'write', path, content },
    summary: note === undefined ? summary : `${summary} (${note})`,
    diff,
  };
}

function contentOf(step: Planned['step']): (readonly [string, string])[] {
  if (step.kind === 'delete') return [];
  const sha256 = createHash('sha256').update(step.content, 'utf8').digest('hex');
  return [[step.kind === 'move' ? step.to : step.path, sha256]];
}
