import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { partsOf } from '../runners/command-parts.ts';
import type { Services } from '../services.ts';
import { runnerNamed } from '../runners/registry.ts';
import type { Runner } from '../runners/runner.ts';
import { modelInUse } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';
import type { Notice } from '../start/start-notices.ts';

/** For a strict session in a project without a known test command. */
const WITHOUT_TESTS: Notice = {
  type: 'notice',
  level: 'warn',
  what: 'This session can answer questions, but cannot change files',
  why: 'Strict mode proves a change by its tests, and no way to run the tests of this project was found',
  fix: 'Set test.runner in .fluffy/config.yaml (fluffy config init writes a first version), or switch with /explore',
  code: 'no_test_command',
};

/** Emits the first events of a session and the notices of its start. */
export function reportStarted(services: Services, session: Session, notices: readonly Notice[]): void {
  const { limits, test_command } = session.snapshot.options;
  session.emit({
    type: 'session.started',
    project: services.options.project_root,
    mode: session.mode,
    model: modelInUse(session).model,
    tools: [...services.tools().names],
    policy_hash: services.policy().hash,
    images: services.options.images,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  });
  for (const notice of notices) session.emit(notice);
  const { node_note: node, python_note: python } = services.options;
  if (node !== undefined && isAmong(test_command, ({ runsInNode }) => runsInNode === true))
    session.emit({ type: 'notice', code: 'project_node', ...node });
  if (python !== undefined && isAmong(test_command, ({ runsInPython }) => runsInPython === true))
    session.emit({ type: 'notice', code: 'project_python', ...python });
  if (session.mode === 'strict' && test_command === null) session.emit(WITHOUT_TESTS);
}

function isAmong(command: TestCommand | null, fits: (runner: Runner) => boolean): boolean {
  if (command === null) return false;
  return partsOf(command).some((part) => {
    const runner = runnerNamed(part.runner);
    return runner !== null && fits(runner);
  });
}

export function reportModeRefused(session: Session, reason: string): void {
  session.emit({
    type: 'notice',
    level: 'warn',
    what: `Mode ${session.snapshot.options.mode} was refused; the session is strict`,
    why: reason,
    fix: 'Start an interactive session and switch there, where you can approve it',
    code: 'mode_refused',
  });
}
