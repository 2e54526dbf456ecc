import { shortRefName } from '../../lib/git/ref-name.ts';
import { groupDigits } from '../../lib/text/group-digits.ts';
import { modelWords } from '../../lib/text/model-words.ts';
import { NOTHING_SPENT } from '../../contracts/model/spending.ts';
import type { SpendingTotals, Spent } from '../../contracts/model/spending.ts';
import type { RequestParams } from '../../contracts/session/session-protocol.ts';
import { contextText } from '../context/parts.ts';
import { costText } from '../context/spending-text.ts';
import { sessionSpent } from '../run/limits.ts';
import { sessionUse, sessionWindow } from '../run/model/request.ts';
import type { Services } from '../services.ts';
import { describeAudit, describeNotes, describePolicy, describeSandboxes } from './describe-kernel.ts';
import { describeDebt } from './describe-debt.ts';
import { describePlan, describeProof, describeTests } from './describe-work.ts';
import { explainRefusal } from './explain-refusal.ts';
import { modelInUse } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';
import { describeCase } from '../proof/test-case-id.ts';
import type { TestCaseId } from '../proof/test-case-id.ts';

/** Text for the commands that show a part of the session. */
export async function describeSession(
  services: Services,
  session: Session,
  what: RequestParams<'session.describe'>['what'],
): Promise<string> {
  switch (what) {
    case 'status':
      return status(services, session);
    case 'budget':
      return [
        budget(session, await services.addSpending(NOTHING_SPENT).catch(() => null)),
        ...(await describeDebt(services, session)),
      ].join('\n');
    case 'context':
      return contextText(sessionUse(services, session), sessionWindow(session), services.tools().specs());
    case 'cost':
      return costText(session.snapshot.spending);
    case 'diff': {
      const workspace = await services.workspaces.open(session.id);
      const diff = await workspace.diff();
      return diff === '' ? 'Nothing is staged.' : diff;
    }
    case 'plan':
      return describePlan(session);
    case 'tests':
      return describeTests(session);
    case 'proof':
      return describeProof(session);
    case 'why':
      return why(services, session);
    case 'policy':
      return describePolicy(services.policy());
    case 'audit':
      return describeAudit(services.audit, session.id);
    case 'sandboxes':
      return describeSandboxes(services.sandboxes.living(session.id));
    case 'agents-file':
      return describeNotes({ services, session, workspace: await services.workspaces.open(session.id) });
  }
}

function status({ options }: Pick<Services, 'options'>, session: Session): string {
  const { snapshot } = session;
  const { project_image: image } = options;
  const { red } = snapshot;
  const lines = [
    `session ${session.id}  ${session.row.title}`,
    `mode ${session.mode}  state ${session.state}  status ${session.row.status}`,
    `model ${modelWords({ ...modelInUse(session), to: modelInUse(session).model })}`,
    snapshot.base === null
      ? null
      : `on ${shortRefName(snapshot.base.branch)} at ${headOf(session, snapshot.base.head).slice(0, 10)}`,
    image === undefined ? null : `tests and commands run in ${image.reference} (${image.id.slice(0, 19)})`,
    snapshot.plan === null ? null : `plan: ${snapshot.plan.summary}`,
    red === null ? null : `red: ${[...red.cases.map((id) => describeCase(id as TestCaseId)), ...red.files].join('; ')}`,
    snapshot.exemption === null
      ? null
      : `exemption ${snapshot.exemption.category}: ${snapshot.exemption.paths.join(', ')}`,
    snapshot.review === null ? null : `a review waits: ${snapshot.review.reasons.join(' ')}`,
    session.row.commits.length === 0
      ? null
      : `commits: ${session.row.commits.map((commit) => commit.slice(0, 10)).join(', ')}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/** The head of the branch as this session knows it; its task began at `base`. */
function headOf({ row }: Session, base: string): string {
  return row.status === 'committed' ? (row.commits.at(-1) ?? base) : base;
}

function budget(session: Session, totals: SpendingTotals | null): string {
  const { usage, cost_usd, model_turns, options } = session.snapshot;
  const { limits } = options;
  const tokens = usage.input_tokens + usage.output_tokens;
  const of = (limit: number | undefined) => (limit === undefined ? '' : ` of ${groupDigits(limit)}`);
  return [
    `model turns ${model_turns}${of(limits.max_turns)}`,
    `tokens ${groupDigits(tokens)}${of(limits.max_tokens)} (input ${groupDigits(usage.input_tokens)}, output ${groupDigits(usage.output_tokens)}, read from cache ${groupDigits(usage.cache_read_tokens)})`,
    modelInUse(session).price === undefined && cost_usd === 0
      ? 'cost unknown: no price is configured for this model'
      : `cost ${cost_usd.toFixed(4)} USD${of(limits.max_cost_usd)}`,
    sums(
      'this session',
      sessionSpent(session.snapshot),
      of(limits.max_session_tokens),
      of(limits.max_session_cost_usd),
    ),
    ...(totals === null
      ? ['what all sessions have used is not known']
      : [
          sums('today', totals.day, of(limits.max_day_tokens), of(limits.max_day_cost_usd)),
          sums('this project', totals.project, of(limits.max_project_tokens), of(limits.max_project_cost_usd)),
        ]),
  ].join('\n');
}

function sums(what: string, { tokens, cost_usd }: Spent, ofTokens: string, ofCost: string): string {
  return `${what} ${groupDigits(tokens)} tokens${ofTokens}, ${cost_usd.toFixed(4)} USD${ofCost}`;
}

/** The last refusal of this session, with its rules. */
function why(services: Services, session: Session): string {
  const refusal = session.snapshot.last_refusal;
  return refusal === null ? 'Nothing was refused in this session.' : explainRefusal(refusal, services.policy());
}
