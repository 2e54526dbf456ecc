import type { FileState } from '../../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ToolSandboxResult } from '../../../contracts/ports/sandboxes.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { patchResultSchema } from '../../../contracts/model/tool-call.ts';
import type { ToolErrorCode } from '../../../contracts/model/tool-errors.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { diffSize } from '../../../lib/diff/diff-size.ts';
import { applyVerified, createUnifiedDiff } from '../../../lib/diff/unified-diff.ts';
import { capabilityAuthority } from '../../access/capability-authority.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { FileRewrite } from '../../tools/tool-context.ts';
import { sizeCheckOf } from '../authorise.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { whyFiltered } from './filtered.ts';
import { whyClosedInside } from './inside-source.ts';
import { programOf } from './overlay.ts';
import { toolError } from './sandbox-error.ts';
import { plural } from '../../../lib/text/plural.ts';

const MAX_BASE_BYTES = 4 * 1024 * 1024;
const DEADLINE_MS = 30_000;

/**
 * Writes a new content of one file. The sandbox gets the file's text and no workspace, and answers with a patch. The
 * kernel applies the patch to the text that it sent, compares the result with its own, and stages it if the file has
 * not changed meanwhile.
 */
export async function patchFile(
  context: CallContext,
  call: AuthorisedCall,
  { path, rewrite }: FileRewrite,
): Promise<ToolAnswer> {
  const { workspace } = context;
  const { name } = call.use.tool;
  const before = await workspace.stat(path);
  const base = await textBase(workspace, path, before);
  if (base.kind === 'refused') return failure(base.code, base.message, base.code === 'conflict');
  const wanted = rewrite(base.text);
  if (wanted.kind === 'refused') return failure(wanted.code, wanted.message);
  const inside = await whyClosedInside(context, { path, before: base.text, after: wanted.text });
  if (inside !== null) return inside;
  const filtered = await whyFiltered(context, [path]);
  if (filtered !== null) return filtered;

  const result = await inSandbox(context, call, { path, content: wanted.text }, base);
  if (result.kind !== 'ok')
    return { ok: false, error: toolError(result), ...(result.sandbox === null ? {} : { sandboxId: result.sandbox }) };

  const patch = patchResultSchema.safeParse(result.result);
  if (!patch.success) return failure('sandbox_failed', 'The tool returned an invalid patch.');
  const applied = applyVerified(base.text ?? '', patch.data.patch, patch.data.sha256);
  if (applied.kind !== 'applied') {
    return failure('sandbox_failed', 'The patch does not lead to what the tool announced; nothing was written.');
  }
  const { text } = applied;
  if (text !== wanted.text) {
    return failure('sandbox_failed', 'The patch does not lead to the requested content; nothing was written.');
  }
  const tooLarge = sizeCheckOf(call)(path, Buffer.byteLength(text));
  if (tooLarge !== null) return failure('policy_denied', `Policy denies ${name}: ${tooLarge}`);
  const executable = before.kind === 'file' && before.executable;
  const staged = await workspace.stage(path, before, Buffer.from(text, 'utf8'), executable);
  switch (staged.kind) {
    case 'staged': {
      const diff = createUnifiedDiff(path, base.text ?? '', text);
      const summary = summaryOf(path, base.text, text, diff);
      const shown = wanted.note === undefined ? summary : `${summary} (${wanted.note})`;
      return { ok: true, text: shown, summary: shown, diff, sandboxId: result.sandbox };
    }
    case 'conflict':
      return failure('conflict', `${path} changed while it was being written. Read it again.`, true);
    case 'refused':
      return failure('path_refused', staged.reason);
    default:
      return assertNever(staged);
  }
}

function inSandbox(
  { services, session, signal }: CallContext,
  { use, received }: AuthorisedCall,
  { path, content }: { readonly path: ProjectPath; readonly content: string },
  { text, sha256 }: Extract<Base, { kind: 'ok' }>,
): Promise<ToolSandboxResult> {
  return services.sandboxes.tool({
    session: session.id,
    program: programOf(use.tool),
    slot: null,
    method: 'fs.write',
    mode: session.mode,
    params: { path, base: text === null ? null : { content: text, sha256 }, content },
    deadlineMs: DEADLINE_MS,
    signal,
    authority: capabilityAuthority(services, session, {
      callId: received.call_id,
      syscall: use.tool.name,
      tags: use.tool.plugin.tags,
      paths: [path],
      ttlMs: DEADLINE_MS,
    }),
  });
}

type Base =
  | { readonly kind: 'ok'; readonly text: string | null; readonly sha256: string }
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string };

export async function textBase(workspace: Workspace, path: ProjectPath, before: FileState): Promise<Base> {
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
      return { kind: 'refused', code: 'conflict', message: `${path} is not a regular file.` };
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

/** A final line feed ends the last line and does not begin another. */
function lineCount(text: string): string {
  return plural(text === '' ? 0 : text.replace(/\n$/, '').split('\n').length, 'line');
}

export function summaryOf(path: string, before: string | null, after: string, diff: string): string {
  const { added, removed } = diffSize(diff);
  if (before === null) return `Wrote ${path}, ${lineCount(after)}`;
  return diff === '' ? `${path} is unchanged` : `Modified ${path}, +${added} -${removed}`;
}
