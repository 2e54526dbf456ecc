import { askPolicy } from '../access/ask-policy.ts';
import { whyClosedToPerson } from '../call/gate.ts';
import { heldTo } from '../policy/index.ts';
import { flowOf } from '../record/fire-event.ts';
import type { SessionWork } from '../services.ts';
import type { fsDelete } from '../tools/fs-delete.ts';
import { fsWrite } from '../tools/fs-write.ts';
import { transition } from '../workflow/transition.ts';

const TEMPLATE = 'code-executor';

/**
 * Why a person's version of a file under review could not be staged; null if it could. It is judged in the state that
 * follows a rejection. Nothing is recorded and no person is asked, because the result decides whether the review is
 * rejected at all.
 */
export async function whyNotEditable(
  { services, session }: Pick<SessionWork, 'services' | 'session'>,
  path: string,
  { sizeBytes, tool }: { readonly sizeBytes: number; readonly tool: typeof fsWrite | typeof fsDelete } = {
    sizeBytes: 0,
    tool: fsWrite,
  },
): Promise<string | null> {
  const after = transition(flowOf(session), session.state, 'merge_rejected');
  if (after.kind === 'illegal-transition') return `nothing can be edited in state ${session.state}`;
  const closed = whyClosedToPerson(services.policy(), session, path, after.next);
  if (closed !== null) return closed;
  const { name, plugin } = tool;
  const asked = await askPolicy(services, {
    syscall: name,
    path,
    state: after.next,
    mode: session.mode,
    tags: plugin.tags,
    plugin: plugin.name,
    template: TEMPLATE,
    sizeBytes,
  });
  const { decision, reasons } = heldTo(asked, { template: TEMPLATE, hasToken: true, sizeBytes });
  return decision === 'deny' ? `policy denies a change of ${path}: ${reasons.join('; ')}` : null;
}
