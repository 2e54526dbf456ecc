import type { FileChange } from '../../../contracts/review/change-set.ts';
import { CORE_TAGS } from '../../../contracts/policy.ts';
import { askPolicy } from '../../access/ask-policy.ts';
import { heldTo } from '../../policy/index.ts';
import type { CallContext } from '../call.ts';
import { isWritable } from '../gate.ts';
import { sizeOf } from './overlay.ts';

/** Whether a change made by a program may be staged, as if the model had made it with `fs.write` or `fs.delete`. */
export function mayWrite(context: CallContext, { path, after }: FileChange): Promise<boolean> {
  return mayChange(context, path, after.kind === 'absent' ? 'fs.delete' : 'fs.write', sizeOf(after));
}

export async function mayChange(
  { services, session }: CallContext,
  path: string,
  syscall: 'fs.write' | 'fs.delete',
  sizeBytes: number,
): Promise<boolean> {
  if (!isWritable(services.policy(), session, path)) return false;
  const facts = { template: 'code-executor', hasToken: true, sizeBytes } as const;
  const { state, mode } = session;
  const request = { syscall, path, state, mode, tags: CORE_TAGS, template: facts.template, sizeBytes };
  return heldTo(await askPolicy(services, request), facts).decision === 'allow';
}
