import type { Attest } from '../../contracts/ports/host-services.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { MergeTarget } from '../../contracts/ports/merge-target.ts';
import type { OperationLog } from '../../contracts/ports/operation-log.ts';
import type { PreparedObjects } from '../../contracts/ports/prepared-objects.ts';
import type { Repository } from '../../contracts/ports/repository.ts';
import type { Sandboxes } from '../../contracts/ports/sandboxes.ts';
import type { CompiledPolicy } from '../policy/index.ts';

/** What is needed to make commits. */
export interface CommitsServices {
  readonly openRepository: () => Repository;
  readonly target: MergeTarget;
  readonly log: OperationLog;
  readonly objects: PreparedObjects;
  readonly sandboxes: Sandboxes;
  readonly audit: AuditLog;
  /** Without the host's attestation there is no commit. */
  readonly attest: Attest;
  readonly clock: Clock;
  readonly policy: () => CompiledPolicy;
  readonly images: Readonly<Record<string, string>>;
}
