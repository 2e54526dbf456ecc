import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import type { ObjectId, Sha256 } from '../../contracts/ids.ts';
import type { RepositoryState } from '../../contracts/ports/repository.ts';
import type { RepeatedGreen } from '../../contracts/session/session-facts.ts';
import type { CommitsServices } from './commit-services.ts';
import { modelInUse } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';
import { wordsOfRevision } from '../proof/additions/revised-tests.ts';
import { observedFacts } from '../proof/observed-facts.ts';
import { caseId, splitCaseId } from '../proof/test-case-id.ts';

/** The kernel's observations about a commit, in the form of evidence. */
export function commitFacts(
  services: Pick<CommitsServices, 'audit' | 'clock' | 'policy' | 'images'>,
  session: Session,
  state: RepositoryState,
  changes: ChangeSet,
  tree: ObjectId,
): EvidenceFacts {
  const { snapshot } = session;
  const head = services.audit.head();
  const observed = observedFacts(session);
  return {
    session_id: session.id,
    mode: session.mode,
    tree,
    parent: state.head,
    branch: state.branchRef,
    ...modelsOf(session),
    policy_sha256: services.policy().hash as Sha256,
    images: { ...services.images },
    changes: changes.map(({ path, before, after }) => ({ path, before, after })),
    ...observed,
    ...coverageOf(session),
    green: greenOf(session, observed.red),
    pre_existing: preExisting(session),
    exemption: snapshot.exemption,
    revisions: snapshot.revisions.map(wordsOfRevision).filter((words) => words !== null),
    audit: { entries: head.entries, head: head.hash as Sha256 },
    observed_ms: services.clock.nowMs(),
  };
}

/** Coverage of the committed code, in a project that has a baseline. */
function coverageOf({ snapshot: { coverage } }: Session): Pick<EvidenceFacts, 'coverage'> {
  if (coverage?.kind !== 'measured') return {};
  const { lines, baseline } = coverage;
  return { coverage: baseline === null ? { lines } : { lines, baseline } };
}

/** The model that finished the work, and all models if there were several. */
function modelsOf(session: Session): Pick<EvidenceFacts, 'model' | 'models'> {
  const { answered_by: answeredBy } = session.snapshot;
  const model = answeredBy.at(-1) ?? modelInUse(session).model;
  return answeredBy.length < 2 ? { model } : { model, models: answeredBy };
}

/** Green has been compared with red before: every case that was red has passed. */
function greenOf({ snapshot: { green } }: Session, red: EvidenceFacts['red']): EvidenceFacts['green'] {
  if (green === null) return null;
  return {
    run_id: green.run_id,
    staging: green.staging_digest as Sha256,
    passed: green.passed,
    failed: green.failed,
    skipped: green.skipped,
    turned: red?.failed ?? [],
    at_ms: green.at_ms,
    ...(green.repeated === undefined ? {} : { repeated: repetition(green.repeated) }),
  };
}

function repetition({ run_id, tree, passed, failed, skipped, at_ms }: RepeatedGreen) {
  return { run_id, tree: tree as ObjectId, passed, failed, skipped, at_ms };
}

/**
 * Failures from before the session, with or without the user's uncommitted work. If the suite was repeated, these may
 * be the failures of HEAD alone.
 */
function preExisting({ snapshot }: Session): EvidenceFacts['pre_existing'] {
  const { baseline } = snapshot;
  const known = baseline?.kind === 'known' ? baseline : { failed: [], broken_files: [] };
  const onHead = snapshot.green?.repeated?.on_head ?? { failed: [], broken_files: [] };
  return {
    failed: [...new Set([...known.failed, ...onHead.failed.map(caseId)])].map(splitCaseId),
    broken_files: [...new Set([...known.broken_files, ...onHead.broken_files])],
  };
}
