import { plannedKind } from '../../../contracts/review/change-kinds.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import { describeRun } from '../../proof/run/describe-run.ts';
import { allowedNetwork } from '../../proof/test-network.ts';
import { hashesOf } from '../../proof/changed-files.ts';
import { sourceHashes, stagedWork } from '../../proof/in-source/staged-work.ts';
import { explainNotCollected } from '../../runners/collected-name.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolUse } from '../../tools/tool.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { greenGate } from './green-gate.ts';
import { openingGate } from './opening-gate.ts';
import { redGate } from './red-gate.ts';
import { runAndReport, shortResult } from './suite-run.ts';
import type { TestCall } from './suite-run.ts';

/**
 * `test.run`. Its meaning depends on the state. In test_writing the run is judged for red. With changes in
 * code_writing, exploring or retroactive_testing the session enters validating and the whole suite is judged for green.
 * Otherwise the run only informs.
 */
export async function runTestTool(
  context: CallContext,
  { targets, received, use }: Pick<AuthorisedCall, 'targets' | 'received'> & { readonly use: Pick<ToolUse, 'network'> },
): Promise<ToolAnswer> {
  const { services, session } = context;
  const command = session.snapshot.options.test_command;
  if (command === null) return failure('not_found', 'No test command is known for this project.');
  session.update({ test_network: allowedNetwork(services.options, use.network !== null) });
  const call: TestCall = { ...context, callId: received.call_id, command };
  const paths = targets.named;

  switch (session.state) {
    case 'test_writing':
      return inTestWriting(call, paths);
    case 'code_writing':
    case 'exploring':
    case 'retroactive_testing': {
      const work = await stagedWork(call);
      const changed = Object.keys(
        session.state === 'code_writing'
          ? sourceHashes(work, services.policy())
          : hashesOf(work.changes, services.policy(), () => true),
      );
      return changed.length > 0 ? greenGate(call, paths) : inform(call, paths);
    }
    case 'idle':
    case 'planning':
    case 'validating':
    case 'reviewing':
    case 'committing':
      return inform(call, paths);
  }
}

function inTestWriting(call: TestCall, paths: readonly ProjectPath[]): Promise<ToolAnswer> {
  const kind = plannedKind(call.session.snapshot.kind);
  switch (kind) {
    case 'feature':
    case 'fix':
      return redGate(call, paths);
    case 'refactor':
    case 'deletion':
      return openingGate(call);
    case 'tests':
      return greenGate(call);
    default:
      return assertNever(kind);
  }
}

async function inform(call: TestCall, paths: readonly ProjectPath[]): Promise<ToolAnswer> {
  const run = await runAndReport(call, paths);
  if (paths.length > 0 && run.outcome === 'passed' && run.requested.length === 0) {
    const why = `No test file is at ${paths.join(', ')}. ${explainNotCollected(call.command, paths)}`;
    return failure('not_found', why);
  }
  call.session.update({
    last_tests: `${paths.length === 0 ? 'the whole suite' : paths.join(', ')}: ${shortResult(run)}`,
  });
  return { ok: true, text: describeRun(run), summary: shortResult(run) };
}
