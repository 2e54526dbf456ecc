import type { ChangeKind } from '../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import type { Sha256 } from '../../contracts/ids.ts';
import type { Session } from '../session/session.ts';
import { hashInSource } from './in-source/staged-work.ts';
import { splitCaseId } from './test-case-id.ts';

/** The observations of the session's work, as the evidence contains them and the grade uses them. */
export function observedFacts(session: Session): Pick<EvidenceFacts, 'kind' | 'red' | 'proof' | 'network'> {
  return { kind: kindOf(session), red: redOf(session), ...proofOf(session), ...networkOf(session) };
}

/** The kind of the change. Explore mode and an exemption are kinds of their own. */
function kindOf({ mode, snapshot }: Session): ChangeKind {
  if (mode !== 'strict') return 'explore';
  if (snapshot.exemption !== null) return 'exempt';
  return snapshot.kind ?? 'feature';
}

function redOf({ snapshot: { red } }: Session): EvidenceFacts['red'] {
  if (red === null) return null;
  const inSources = Object.entries(red.frozen).flatMap(([path, hash]) => {
    const sha256 = hashInSource(hash);
    return sha256 === null ? [] : [{ path, sha256: sha256 as Sha256 }];
  });
  return {
    run_id: red.run_id,
    staging: red.staging_digest as Sha256,
    failed: [...red.cases.map(splitCaseId), ...red.files.map((file) => ({ file, name: '(load)' }))],
    test_files: Object.entries(red.frozen)
      .filter(([, hash]) => /^[0-9a-f]{64}$/.test(hash))
      .map(([path, hash]) => ({ path, sha256: hash as Sha256 })),
    ...(inSources.length === 0 ? {} : { tests_in_sources: inSources }),
    at_ms: red.at_ms,
    ...(red.by === undefined ? {} : { by: red.by }),
  };
}

function networkOf({ snapshot: { test_network: network } }: Session): Pick<EvidenceFacts, 'network'> {
  return network === null ? {} : { network: { services: network.services, hosts: network.hosts } };
}

/** Empty unless the proof belongs to exactly the staged work that was green. */
function proofOf({ snapshot }: Session): Pick<EvidenceFacts, 'proof'> {
  const { green, proof } = snapshot;
  if (proof === null || proof.staging_digest !== green?.staging_digest) return {};
  const { staging_digest: _digest, ...observed } = proof;
  const observations = proof.observations.map(({ observation, outcome, detail }) => ({ observation, outcome, detail }));
  return { proof: { ...observed, observations } };
}
