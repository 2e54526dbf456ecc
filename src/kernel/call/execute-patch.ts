import type { FileState } from '../../contracts/change-set.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import { patchResultSchema } from '../../contracts/tool-call.ts';
import type { ToolErrorCode } from '../../contracts/tool-errors.ts';
import type { ToolInput } from '../../contracts/tools.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { applyEdit } from '../../lib/apply-edit.ts';
import { decodeUtf8 } from '../../lib/decode-utf8.ts';
import { diffSize } from '../../lib/diff-size.ts';
import { applyVerified, createUnifiedDiff } from '../../lib/unified-diff.ts';
import type { Session } from '../session/session.ts';
import type { SizeCheck } from './call-facts.ts';
import { capabilityAuthority } from '../access/capability-authority.ts';
import { toolError } from './sandbox-error.ts';
import type { ToolAnswer, Services } from '../services.ts';

type PatchCall =
  | { readonly tool: 'fs.write'; readonly input: ToolInput<'fs.write'> }
  | { readonly tool: 'fs.edit'; readonly input: ToolInput<'fs.edit'> };

const MAX_BASE_BYTES = 4 * 1024 * 1024;
const DEADLINE_MS = 30_000;

/**
 * A write in patch mode: the sandbox sees the file's text and no workspace, and answers with a patch; the kernel applies it to the text it sent,
 * checks the hash, and stages the result if the file still is what it was.
 */
export async function executePatch(
  services: Services,
  session: Session,
  workspace: Workspace,
  call: PatchCall,
  path: ProjectPath,
  callId: string,
  sizes: SizeCheck,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const before = await workspace.stat(path);
  const base = await textBase(workspace, path, before);
  if (base.kind === 'refused') return fail(base.code, base.message);
  if (call.tool === 'fs.edit' && base.text === null)
    return fail('not_found', `${path} does not exist. Use fs.write for a new file.`);

  const text = base.text === null ? null : { content: base.text, sha256: base.sha256 };
  const { path: _, ...rest } = call.input;
  const result = await services.sandboxes.tool({
    session: session.id,
    program: 'tool:fs',
    slot: null,
    method: call.tool,
    mode: session.mode,
    params: { path, base: text, ...rest },
    deadlineMs: DEADLINE_MS,
    signal,
    authority: capabilityAuthority(services, session, {
      callId,
      syscall: call.tool,
      paths: [path],
      ttlMs: DEADLINE_MS,
    }),
  });
  const error = toolError(result);
  if (error !== null) return { ok: false, error, ...(result.sandbox === null ? {} : { sandboxId: result.sandbox }) };
  if (result.kind !== 'ok') return fail('sandbox_failed', 'The tool gave no result.');

  const answer = patchResultSchema.safeParse(result.result);
  if (!answer.success) return fail('sandbox_failed', 'The tool answered with something that is no patch.');
  const applied = applyVerified(base.text ?? '', answer.data.patch, answer.data.sha256);
  if (applied.kind !== 'applied')
    return fail('sandbox_failed', 'The patch does not lead to what the tool announced; nothing was written.');
  if (applied.text !== askedFor(call, base.text ?? '')) {
    return fail('sandbox_failed', 'The patch does not lead to the content that was asked for; nothing was written.');
  }
  const tooLarge = sizes(path, Buffer.byteLength(applied.text));
  if (tooLarge !== null) return fail('policy_denied', `Policy denies ${call.tool}: ${tooLarge}`);
  const executable = before.kind === 'file' && before.executable;
  const staged = await workspace.stage(path, before, Buffer.from(applied.text, 'utf8'), executable);
  switch (staged.kind) {
    case 'staged': {
      const diff = createUnifiedDiff(path, base.text ?? '', applied.text);
      return {
        ok: true,
        text: summaryOf(path, base.text, applied.text, diff),
        summary: summaryOf(path, base.text, applied.text, diff),
        diff,
        sandboxId: result.sandbox,
      };
    }
    case 'conflict':
      return fail('conflict', `${path} changed while it was being written. Read it again.`);
    case 'refused':
      return fail('path_refused', staged.reason);
  }
}

/** What the file has to become, worked out here: the sandbox could answer with a sound patch to something else. null: nothing does. */
function askedFor(call: PatchCall, before: string): string | null {
  if (call.tool === 'fs.write') return call.input.content;
  const { old_string, new_string, replace_all } = call.input;
  const edited = applyEdit(before, old_string, new_string, replace_all ?? false);
  return edited.kind === 'edited' ? edited.text : null;
}

type Base =
  | { readonly kind: 'ok'; readonly text: string | null; readonly sha256: string }
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string };

async function textBase(workspace: Workspace, path: ProjectPath, before: FileState): Promise<Base> {
  if (before.kind === 'absent') return { kind: 'ok', text: null, sha256: '' };
  if (before.kind === 'directory') return { kind: 'refused', code: 'conflict', message: `${path} is a directory.` };
  const read = await workspace.read(path, MAX_BASE_BYTES);
  switch (read.kind) {
    case 'file': {
      const text = decodeUtf8(read.bytes);
      if (text === null)
        return {
          kind: 'refused',
          code: 'conflict',
          message: `${path} is not UTF-8 text; it can be deleted, not edited.`,
        };
      return { kind: 'ok', text, sha256: read.state.sha256 };
    }
    case 'missing':
      return { kind: 'ok', text: null, sha256: '' };
    case 'not-a-file':
      return { kind: 'refused', code: 'conflict', message: `${path} is no regular file.` };
    case 'too-large':
      return {
        kind: 'refused',
        code: 'too_large',
        message: `${path} has ${read.size} bytes; at most ${MAX_BASE_BYTES} can be edited.`,
      };
    case 'refused':
      return { kind: 'refused', code: 'path_refused', message: read.reason };
  }
}

function summaryOf(path: string, before: string | null, after: string, diff: string): string {
  const { added, removed } = diffSize(diff);
  if (before === null) return `Wrote ${path}, ${after.split('\n').length} lines`;
  return diff === '' ? `${path} is unchanged` : `Modified ${path}, +${added} -${removed}`;
}

function fail(code: ToolErrorCode, message: string): ToolAnswer {
  return { ok: false, error: { code, message, retryable: code === 'conflict' } };
}
