import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { InspectRequest } from '../../tools/tool-context.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { runDiscarded } from './overlay.ts';
import { withReadable } from './read.ts';
import { plural } from '../../../lib/text/plural.ts';

/** Runs a tool on files in a sandbox and drops all its changes. It can run in parallel with anything else. */
export async function inspectFiles(
  context: CallContext,
  call: AuthorisedCall,
  { params, text }: InspectRequest,
): Promise<ToolAnswer> {
  const run = await runDiscarded(context, call, { params, paths: [] });
  if (run.kind === 'failed') return run.answer;
  const shown = await withReadable(context, (readable) => text(run.result.result, readable));
  if (shown === null) {
    return failure('sandbox_failed', `The sandbox returned an invalid result for ${call.use.tool.name}.`);
  }
  return { ok: true, text: shown, summary: plural(shown.split('\n').length, 'line'), sandboxId: run.result.sandbox };
}
