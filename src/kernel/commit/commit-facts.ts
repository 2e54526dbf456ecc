import type { ChangeKind } from '../../contracts/change-kinds.ts';
import type { ChangeSet } from '../../contracts/change-set.ts';
import type { EvidenceFacts } from '../../contracts/evidence.ts';
import type { ObjectId, Sha256 } from '../../contracts/ids.ts';
import type { RepositoryState } from '../../contracts/ports/repository.ts';
import type { RepeatedGreen } from '../../contracts/session-facts.ts';
import type { CommitsServices } from './commit-services.ts';
import type { Session } from '../session/session.ts';
import { caseId, splitCaseId } from '../proof/test-case-id.ts';

/** What the kernel observed about a commit that is to be, as it becomes evidence. */
export function commitFacts(
  services: Pick<CommitsServices, 'audit' | 'clock' | 'policy' | 'images'>,
  session: Session,
  state: RepositoryState,
  changes: ChangeSet,
  tree: ObjectId,
): EvidenceFacts {
  const { snapshot } = session;
  const head = services.audit.head();
  return {
    session_id: session.id,
    mode: session.mode,
    kind: kindOf(session),
    tree,
    parent: state.head,
    branch: state.branchRef,
    model: snapshot.options.model,
    policy_sha256: services.policy().hash as Sha256,
    images: { ...services.images },
    changes: changes.map(({ path, before, after }) => ({ path, before, after })),
    ...redAndGreen(session),
    ...proofOf(session),
    pre_existing: preExisting(session),
    exemption: snapshot.exemption,
    revisions: snapshot.revisions.map(({ reason }) => reason),
    audit: { entries: head.entries, head: head.hash as Sha256 },
    observed_ms: services.clock.nowMs(),
  };
}

/** What the change is: an exemption and explore mode say it by themselves. */
function kindOf({ mode, snapshot }: Session): ChangeKind {
  if (mode !== 'strict') return 'explore';
  if (snapshot.exemption !== null) return 'exempt';
  return snapshot.kind ?? 'feature';
}

/** Green has been judged against red by now: every case that was red has passed. */
function redAndGreen({ snapshot }: Session): Pick<EvidenceFacts, 'red' | 'green'> {
  const { red, green } = snapshot;
  const turned =
    red === null ? [] : [...red.cases.map(splitCaseId), ...red.files.map((file) => ({ file, name: '(load)' }))];
  return {
    red:
      red === null
        ? null
        : {
            run_id: red.run_id,
            staging: red.staging_digest as Sha256,
            failed: turned,
            test_files: Object.entries(red.frozen)
              .filter(([, hash]) => /^[0-9a-f]{64}$/.test(hash))
              .map(([path, hash]) => ({ path, sha256: hash as Sha256 })),
            at_ms: red.at_ms,
          },
    green:
      green === null
        ? null
        : {
            run_id: green.run_id,
            staging: green.staging_digest as Sha256,
            passed: green.passed,
            failed: green.failed,
            skipped: green.skipped,
            turned,
            at_ms: green.at_ms,
            ...(green.repeated === undefined ? {} : { repeated: repetition(green.repeated) }),
          },
  };
}

/** Only of exactly the work that the green run was about. */
function proofOf({ snapshot }: Session): Pick<EvidenceFacts, 'proof'> {
  const { red, green, proof } = snapshot;
  if (red === null || proof === null || proof.staging_digest !== green?.staging_digest) return {};
  const { staging_digest: _digest, ...observed } = proof;
  const observations = proof.observations.map(({ observation, outcome, detail }) => ({ observation, outcome, detail }));
  return { proof: { ...observed, observations } };
}

function repetition({ run_id, tree, passed, failed, skipped, at_ms }: RepeatedGreen) {
  return { run_id, tree: tree as ObjectId, passed, failed, skipped, at_ms };
}

/** Before the session began, with the user's uncommitted work or without it: where the suite was repeated, HEAD alone may have been asked. */
function preExisting({ snapshot }: Session): EvidenceFacts['pre_existing'] {
  const { baseline } = snapshot;
  const known = baseline?.kind === 'known' ? baseline : { failed: [], broken_files: [] };
  const onHead = snapshot.green?.repeated?.on_head ?? { failed: [], broken_files: [] };
  return {
    failed: [...new Set([...known.failed, ...onHead.failed.map(caseId)])].map(splitCaseId),
    broken_files: [...new Set([...known.broken_files, ...onHead.broken_files])],
  };
}
