import { assertNever } from '../../lib/assert-never.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import { optionLines } from '../../lib/text/question-words.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { RunEnd } from '../session/run-end.ts';

/** Maximum characters: the question is the last line of a run without a terminal. */
const MAX_QUESTION = 2_000;
const MAX_OPTION = 200;

export interface Finish {
  readonly status: 'committed' | 'done' | 'failed' | 'cancelled' | 'waiting';
  readonly exitCode: ExitCode;
  readonly summary: string;
}

/** Whether a gate, the policy, or the lack of a person refused something during the run. */
export interface Refusals {
  readonly gate: boolean;
  readonly policy: boolean;
  readonly review: boolean;
}

/** Status, exit code and last sentence of a run. Pure. */
export function finishOf(end: RunEnd, refused: Refusals, answer: string): Finish {
  switch (end.kind) {
    case 'committed':
      return {
        status: 'committed',
        exitCode: EXIT.done,
        summary: `${end.subject} (commit ${end.commit.slice(0, 10)})`,
      };
    case 'answered':
      return { status: 'done', exitCode: EXIT.done, summary: answer };
    case 'waiting':
      return {
        status: 'waiting',
        exitCode: EXIT.decisionNeeded,
        summary:
          'The change waits for a decision: fluffy review shows it, fluffy review --approve or --reject decides.',
      };
    case 'asked': {
      const options = optionLines(end.question);
      const asked = oneLine(end.question.question, MAX_QUESTION);
      const choices = options.length === 0 ? '' : ` (${options.map((each) => oneLine(each, MAX_OPTION)).join('  ')})`;
      return {
        status: 'waiting',
        exitCode: EXIT.decisionNeeded,
        summary: `Question: ${asked}${choices} ${end.answerWith}`,
      };
    }
    case 'rejected':
      return { status: 'failed', exitCode: EXIT.decisionNeeded, summary: `Refused at review: ${end.reason}` };
    case 'gave-up':
      return { status: 'failed', exitCode: afterRefusal(refused), summary: `The model gave up: ${end.reason}` };
    case 'stuck':
      return { status: 'failed', exitCode: afterRefusal(refused), summary: end.reason };
    case 'limit':
      return { status: 'failed', exitCode: EXIT.limit, summary: `A limit was reached: ${end.limit}.` };
    case 'failed': {
      const { what, why, fix, exitCode } = end.error;
      return { status: 'failed', exitCode, summary: `${what}: ${why}. ${fix}` };
    }
    case 'merge-failed':
      return { status: 'failed', exitCode: EXIT.failed, summary: end.reason };
    case 'interrupted':
      return {
        status: 'cancelled',
        exitCode: end.signal === 'interrupt' ? EXIT.interrupted : EXIT.terminated,
        summary: 'Interrupted. The session is kept; resume it with fluffy --continue.',
      };
    default:
      return assertNever(end);
  }
}

/** If something was refused and the model ended without success, the refusal decides the exit code. */
function afterRefusal(refused: Refusals): ExitCode {
  if (refused.review) return EXIT.decisionNeeded;
  if (refused.gate) return EXIT.gate;
  if (refused.policy) return EXIT.policyDenied;
  return EXIT.failed;
}
