import { measureDiff } from '../../lib/diff/diff-size.ts';
import type { DiffMeasures } from '../../lib/diff/diff-size.ts';
import { reviewDigest } from '../../lib/review-digest.ts';
import { isProvedWithoutRed } from '../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { classifyPath } from '../policy/index.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import type { PendingReview } from '../../contracts/session/session-facts.ts';
import { wordsOfRevision } from '../proof/additions/revised-tests.ts';
import { observedFacts } from '../proof/observed-facts.ts';
import { namedByCommand } from '../proof/command-paths.ts';
import type { Services } from '../services.ts';
import { stagedWork } from '../proof/in-source/staged-work.ts';
import { changedTests } from './changed-tests.ts';
import type { ChangedTest } from './changed-tests.ts';
import { testsCanFollow } from './tests-can-follow.ts';
import { cardFacts } from './card-facts.ts';
import { gradeReasons } from './grade-reasons.ts';
import { incomingPackages, manifestReasons } from './incoming-packages.ts';
import { packageReasons } from './package-reasons.ts';
import { isOwnSetting } from '../proof/own-settings.ts';
import { sizeReasons } from './size-reasons.ts';

const MAX_FINDINGS = 20;

export interface ReviewFacts {
  readonly changes: ChangeSet;
  readonly size: DiffMeasures;
  readonly findings: readonly string[];
  readonly changedTests: readonly ChangedTest[];
  readonly dirtyAtStart: readonly string[];
  readonly revisions: readonly string[];
  /** Kind, red and the other observations. */
  readonly observed: Pick<EvidenceFacts, 'kind' | 'red' | 'proof' | 'network'>;
  /** Paths of the granted exemption; null without one. */
  readonly exemption: readonly string[] | null;
  /** Paths that the test command names. They are sensitive under every policy. */
  readonly namedByTests: (path: string) => boolean;
  readonly approve: 'never' | 'auto' | 'ask';
  /** A person has rejected or edited an earlier proposal of this task. */
  readonly sentBack: boolean;
}

const SHOWN_PATHS = 5;

/**
 * The first paths and the number of the others. A working tree can have any number of dirty paths, for example all that
 * go through a git filter.
 */
function fewOf(paths: readonly string[]): string {
  const more = paths.length - SHOWN_PATHS;
  return `${paths.slice(0, SHOWN_PATHS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Why a person must decide; empty if policy may approve by itself. Pure. */
export function reasonsForHuman(policy: CompiledPolicy, facts: ReviewFacts): string[] {
  const reasons: string[] = [];
  const changedPaths = facts.changes.map((change) => change.path);
  if (facts.approve === 'ask') reasons.push('Every change waits for a decision (--approve ask).');
  if (facts.approve === 'never') reasons.push('Nothing is approved in a dry run (--approve never).');
  if (facts.sentBack) reasons.push('You rejected, edited or approved only a part of an earlier version.');
  const sensitive = changedPaths.filter((path) => facts.namedByTests(path) || classifyPath(policy, path).sensitive);
  if (sensitive.length > 0) reasons.push(`Sensitive files change: ${sensitive.join(', ')}.`);
  const rewritten = facts.changedTests.map(({ path, what }) => (what === null ? path : `${path} (${what})`));
  if (rewritten.length > 0) reasons.push(`Existing tests change: ${rewritten.join(', ')}.`);
  reasons.push(...sizeReasons(policy.review, facts.size, facts.changes));
  const dirty = facts.dirtyAtStart.filter((path) => !isOwnSetting(path));
  if (dirty.length > 0) {
    const touched = changedPaths.filter((path) => dirty.includes(path));
    reasons.push(
      touched.length > 0
        ? `Files with your own uncommitted changes are part of this: ${touched.join(', ')}.`
        : `The working tree was not clean at the start: ${fewOf(dirty)}. They are not touched.`,
    );
  }
  const exempt = facts.exemption !== null && changedPaths.every((path) => facts.exemption?.includes(path));
  if (exempt && policy.review.exemptions === 'ask') {
    reasons.push(`No test was seen to fail first: ${changedPaths.join(', ')} was exempt.`);
  }
  if (facts.observed.red === null && !exempt && !isProvedWithoutRed(facts.observed.kind))
    reasons.push('No test was seen to fail first; the commit is marked unverified.');
  const { hosts = [] } = facts.observed.network ?? {};
  if (hosts.length > 0) reasons.push(`The tests could reach hosts of the network: ${hosts.join(', ')}.`);
  reasons.push(
    ...shownFindings(facts.findings),
    ...gradeReasons(policy.review, facts.observed, facts.findings.length > 0 || hosts.length > 0),
  );
  for (const reason of facts.revisions) reasons.push(`A test was revised after it had been seen to fail: ${reason}`);
  return reasons;
}

/** The first findings and the number of the others: a card must stay short enough to read. */
function shownFindings(findings: readonly string[]): string[] {
  const more = findings.length - MAX_FINDINGS;
  if (more <= 0) return [...findings];
  return [...findings.slice(0, MAX_FINDINGS), `${more} more findings like these are not listed here.`];
}

/** The card of a merge: what a person sees and what an approval signs. */
export async function mergeReview(
  services: Services,
  session: Session,
  workspace: Workspace,
  base: string,
  { message, diff }: { readonly message: string; readonly diff: string },
): Promise<PendingReview> {
  const { snapshot } = session;
  const changes = await workspace.changes();
  const observed = observedFacts(session);
  const namedByTests = namedByCommand(snapshot.options.test_command, services.options.project_root);
  const ownReasons = reasonsForHuman(services.policy(), {
    changes,
    size: measureDiff(diff),
    findings: snapshot.findings,
    changedTests: await changedTests(services, workspace, await stagedWork({ services, workspace })),
    dirtyAtStart: snapshot.dirty_at_start ?? [],
    revisions: snapshot.revisions.map(wordsOfRevision).filter((words) => words !== null),
    observed,
    exemption: snapshot.exemption?.paths ?? null,
    namedByTests,
    approve: snapshot.options.approve,
    sentBack: snapshot.sent_back,
  });
  const changedPaths = changes.map(({ path }) => path);
  const incoming = await incomingPackages(services, workspace, changedPaths, snapshot.added_packages);
  const manifests = await manifestReasons(services, workspace, changedPaths);
  const packages = [...packageReasons(incoming, services.clock.nowMs()), ...manifests];
  const sensitive = changes.some(({ path }) => namedByTests(path) || classifyPath(services.policy(), path).sensitive);
  const coverage = snapshot.coverage?.warning ?? null;
  const reasons = [...ownReasons, ...(coverage === null ? [] : [coverage]), ...packages];
  return {
    review_id: services.random.id('r', 20),
    kind: 'merge',
    risk: sensitive ? 'high' : reasons.length > 0 ? 'medium' : 'low',
    reasons,
    base,
    message,
    diff,
    sha256: reviewDigest({ session_id: session.id, base, message, diff }),
    facts: cardFacts(services.policy(), {
      changes,
      evidence: snapshot.prepared?.facts ?? null,
      namedByTests,
      testsCanFollow: testsCanFollow(session),
    }),
    requested_ms: services.clock.nowMs(),
  };
}
