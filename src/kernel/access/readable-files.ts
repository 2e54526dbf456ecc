import { CORE_TAGS } from '../../contracts/policy.ts';
import type { FileFilter } from '../../contracts/ports/workspace.ts';
import type { HiddenFile } from '../../contracts/sandbox/test-run.ts';
import { IN_KERNEL, decide, heldTo } from '../policy/index.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';

/**
 * The files that sandboxes with code of the project may see: those that policy lets the model read now, because a test
 * could print any file that it sees. Extensions are not asked: that would be one question for each file of the project.
 * A file that an extension decides about is hidden.
 */
export function readableFiles(
  services: Pick<Services, 'policy' | 'clock'>,
  session: Pick<Session, 'state' | 'mode'>,
): FileFilter {
  const policy = services.policy();
  const { state, mode } = session;
  return {
    // Under most policies the same files are readable in every state. Then one walk of the project serves all states.
    key: isSteady(policy) ? policy.hash : `${policy.hash} ${state} ${mode}`,
    allows: (path) => readDecision(services, session, path).decision === 'allow',
  };
}

/** Whether no rule about reading and no extension has the session's state or mode as a condition. */
function isSteady({ builtin, yaml, extensions }: CompiledPolicy): boolean {
  const asked = extensions.flatMap(({ match }) => (match === undefined ? [] : [{ match, except: [] }]));
  return [...builtin.rules, ...yaml.rules, ...asked]
    .filter(({ match }) => match.syscalls === null || match.syscalls.includes('fs.read'))
    .every(({ match, except }) => [match, ...except].every(({ states, modes }) => states === null && modes === null));
}

/** The hidden files, each with the rules that hide it. */
export function whyHidden(
  services: Pick<Services, 'policy' | 'clock'>,
  session: Pick<Session, 'state' | 'mode'>,
  paths: readonly string[],
): HiddenFile[] {
  return paths.map((path) => {
    const { rules } = readDecision(services, session, path);
    const closing = rules.filter(({ action }) => action === 'deny' || action === 'require_review');
    return { path, rule: closing.map(({ name }) => name).join(', ') || 'no rule allows it' };
  });
}

function readDecision(
  services: Pick<Services, 'policy' | 'clock'>,
  { state, mode }: Pick<Session, 'state' | 'mode'>,
  path: string,
) {
  const request = { syscall: 'fs.read', path, state, mode, tags: CORE_TAGS };
  // An extension that would have to be asked counts as a denial.
  return heldTo(decide(services.policy(), request, { nowMonotonicMs: services.clock.monotonicMs() }), IN_KERNEL);
}
