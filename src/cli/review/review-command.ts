import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { TESTS_WANTED } from '../../lib/text/review-words.ts';
import { jsonLine } from '../../lib/json-line.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import type { Output } from '../output/output.ts';
import type { WaitingReview } from '../../contracts/session/review-requests.ts';
import { openProject } from '../open-project.ts';
import type { OpenProject } from '../open-project.ts';
import { decideReview, mismatch, nothingWaits } from './decide-review.ts';
import type { HumanChoice } from './decide-review.ts';
import { plainText, showReview } from './show-review.ts';
import { terminalPainter } from '../output/terminal-painter.ts';
import { comparedWithShown, forgetShown, rememberShown } from './shown-review.ts';
import { wholeReview } from './whole-review.ts';
import { withKernel } from '../with-kernel.ts';

interface ReviewInput extends GlobalInput {
  readonly session: string | undefined;
  readonly approve: boolean;
  readonly reject: string | undefined;
  readonly addTests: boolean;
}

/** `fluffy review`: shows a waiting review (exit 4: it waits), or decides it and applies the decision. */
export async function reviewCommand(command: ReviewInput, services: CliServices): Promise<ExitCode> {
  const { env, output } = services;
  const opened = await openProject(command.project, command.allowRoot, env);
  return withKernel(opened, services, command.allowRoot, async (client) => {
    const sessionId = command.session ?? null;
    if (!command.approve && !command.addTests && command.reject === undefined) {
      const review = await wholeReview(client, sessionId);
      if (review === null) {
        await refuseLost(opened, env);
        if (command.json) output.stdout('null\n');
        else throw nothingWaits();
        return EXIT.done;
      }
      await rememberShown(opened.dirs, review);
      if (command.json) output.stdout(jsonLine(review));
      else await output.rows(await showReview(review, output.columns), terminalPainter(env, opened.userConfig.theme));
      return EXIT.decisionNeeded;
    }
    const choice = choiceOf(command);
    const result = await decideReview(client, opened.user, sessionId, choice, (review) =>
      checkShown(opened, review, output),
    ).catch(async (error: unknown) => {
      if (error instanceof FluffyError && error.code === 'nothing_to_review') await refuseLost(opened, env);
      throw error;
    });
    await forgetShown(opened.dirs);
    output.stdout(command.json ? jsonLine(result) : `${escapeTerminal(result.message)}\n`);
    return result.outcome === 'failed' ? EXIT.failed : EXIT.done;
  });
}

/** Nothing waits, or the waiting review is lost: throws FluffyError `database_lost` then. */
async function refuseLost({ dirs }: OpenProject, env: CliServices['env']): Promise<void> {
  await (await import('../audit/lost-database.ts')).refuseLostDatabase(dirs, env);
}

function choiceOf({ approve, addTests, reject = '' }: ReviewInput): HumanChoice {
  if (approve) return { kind: 'approve' };
  return addTests ? { kind: 'reject', reason: TESTS_WANTED, tests: true } : { kind: 'reject', reason: reject };
}

/**
 * An approval is for what `fluffy review` showed last. If nothing was shown, it is shown now, before it is signed; if the waiting review differs from
 * the shown one, nothing is signed. Throws FluffyError `review_mismatch`.
 */
async function checkShown(opened: OpenProject, review: WaitingReview, output: Output): Promise<void> {
  switch (await comparedWithShown(opened.dirs, review)) {
    case 'same':
      return;
    case 'nothing':
      output.stderr(plainText(await showReview(review, null)));
      return;
    case 'other':
      throw mismatch(review.review_id, 'The waiting review is not the one that was shown');
  }
}
