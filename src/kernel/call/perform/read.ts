import { CORE_TAGS } from '../../../contracts/policy.ts';
import { withAllowedPaths } from '../../access/ask-policy.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { ReadScope } from '../../tools/tool-context.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { reportRetry } from '../report.ts';

const RETRY_MS = 100;

/**
 * Reads in the kernel. A read has no effect, so a read that throws is tried once more before the model sees a failure.
 */
export async function readFiles(
  context: CallContext,
  call: AuthorisedCall,
  work: (scope: ReadScope) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const { services, workspace, signal } = context;
  const once = () =>
    withReadable(context, (readable) => work({ workspace, readable, parse: services.parseSyntax, signal }));
  try {
    return await once();
  } catch {
    await services.clock.sleep(RETRY_MS, signal);
    reportRetry(context, call);
    return once();
  }
}

/** Runs `work`, which must have no effect, with a function that says which paths policy lets the model read. */
export function withReadable<T>(
  { services, session }: CallContext,
  work: (readable: (path: string) => boolean) => T | Promise<T>,
): Promise<T> {
  const { state, mode } = session;
  return withAllowedPaths(services, (path) => ({ syscall: 'fs.read', path, state, mode, tags: CORE_TAGS }), work);
}
