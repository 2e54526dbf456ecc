import type { Spent, SpendingTotals } from '../model/spending.ts';
import type { AttestAnswer, AttestRequest } from '../review/evidence.ts';
import type { AnchorPosition, AnchorRecords, AnchorRequest, FollowAnswer } from '../sandbox/guard-api.ts';
import type { EgressAttempt } from '../sandbox/package-managers.ts';
import type { Program } from '../sandbox/sandbox-programs.ts';

export interface SocketRequest {
  readonly program: Program;
  /** Exists only on the host, one for each sandbox; mounted read-only into that sandbox only. */
  readonly directory: string;
  /** Only for `integration-test`: names of network groups as L1 claims them. They count only if the host's own configuration contains them. */
  readonly networkGroups: readonly string[];
  /**
   * Only for a provider program: one of the user's providers as L1 claims it; null for the one that the program is named after. Only the host knows
   * its endpoint and key.
   */
  readonly provider: string | null;
}

/**
 * Opens the service sockets of one sandbox, which only the host can: `egress.sock`, and for a provider or a package manager also `secret.sock`,
 * created inside `directory`. The creating user owns them; the guard gives them to the sandbox's uid. Rejects if one can't be opened; then the
 * sandbox is not created.
 */
export type OpenServiceSockets = (request: SocketRequest) => Promise<ServiceSockets>;

export interface ServiceSockets {
  /** Connections that the sandbox has requested so far. */
  attempts(): readonly EgressAttempt[];
  /** Ends every connection through the sockets and removes them. Never rejects. */
  close(): Promise<void>;
}

/** Signs and stores the head of the audit chain, outside L1. It resolves to the answer for L1, as JSON. */
export type Anchor = (request: AnchorRequest) => Promise<object>;

/** The host's own verification of the audit chain, from the last head that it signed. Without it, an attacker in L1 could have any number signed. */
export interface FollowedLog {
  position(): Promise<AnchorPosition>;
  /** Checks records that follow its position. If one has a fault, none of the records of this call counts. */
  follow(records: AnchorRecords): Promise<FollowAnswer>;
}

/** Adds the use of models to the user's totals. A use of zero just returns the totals. */
export type AddSpending = (used: Spent) => Promise<SpendingTotals>;

/** Signs the evidence of a decided commit with the host's key, or returns why not. */
export type Attest = (request: AttestRequest) => Promise<AttestAnswer>;

/**
 * Whether the user has signed the project policy whose text has this SHA-256. Asked each time, because signatures are added and removed while L1
 * runs.
 */
export type IsSignedPolicy = (sha256: string) => Promise<boolean>;

/** Whether the paths of the project and of its state still lead to the directories that the kernel was given. */
export type PlaceFinding = { readonly kind: 'same' } | ReplacedPlace;
export interface ReplacedPlace {
  readonly kind: 'replaced';
  readonly what: 'project' | 'state directory';
  readonly why: string;
}
export type CheckPlace = () => Promise<PlaceFinding>;
