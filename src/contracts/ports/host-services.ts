import type { Spent, SpendingTotals } from '../model/spending.ts';
import type { AttestAnswer, AttestRequest } from '../review/evidence.ts';
import type { AnchorPosition, AnchorRecords, AnchorRequest, FollowAnswer } from '../sandbox/guard-api.ts';
import type { EgressAttempt } from '../sandbox/package-managers.ts';
import type { Program } from '../sandbox/sandbox-programs.ts';

export interface SocketRequest {
  readonly program: Program;
  /** Host only, one for each sandbox, mounted read-only into that sandbox alone. */
  readonly directory: string;
  /**
   * Of an `integration-test` alone: names of network groups as L1 claims them. They count only as far as the host's own configuration
   * knows them.
   */
  readonly networkGroups: readonly string[];
  /**
   * Of a provider program alone: one of the user's providers as L1 claims it, or null for the one that the program is named for. Its
   * endpoint and key are the host's to know.
   */
  readonly provider: string | null;
}

/**
 * Opens the service sockets of one sandbox, which only the host can: `egress.sock`, and for a provider or a package manager also `secret.sock`, made inside
 * `directory`. They belong to whoever made them; the guard gives them to the sandbox's uid. Rejects when one can't be opened; the
 * sandbox is then not made.
 */
export type OpenServiceSockets = (request: SocketRequest) => Promise<ServiceSockets>;

export interface ServiceSockets {
  /** Connections that the sandbox has requested so far. */
  attempts(): readonly EgressAttempt[];
  /** Ends every connection through the sockets and removes them. Never rejects. */
  close(): Promise<void>;
}

/** Signs and keeps the head of the audit chain, outside L1. What it resolves to is L1's answer, as JSON. */
export type Anchor = (request: AnchorRequest) => Promise<object>;

/** The host's own reading of the audit chain, from the last head that it signed: without it, whoever has L1 could have any number signed. */
export interface FollowedLog {
  position(): Promise<AnchorPosition>;
  /** Checks records that follow its position. Of those before a fault it keeps none. */
  follow(records: AnchorRecords): Promise<FollowAnswer>;
}

/** Adds what requests to models have used to the user's sums; nothing: only the sums are wanted. */
export type AddSpending = (used: Spent) => Promise<SpendingTotals>;

/** Signs the evidence of a decided commit with the host's key, or says why not. */
export type Attest = (request: AttestRequest) => Promise<AttestAnswer>;

/** Whether the user has signed the project policy whose text has this SHA-256. Asked each time: signatures come and go while L1 runs. */
export type IsSignedPolicy = (sha256: string) => Promise<boolean>;

/** Whether the paths of the project and of its state still lead to the directories that the kernel was given. */
export type PlaceFinding = { readonly kind: 'same' } | ReplacedPlace;
export interface ReplacedPlace {
  readonly kind: 'replaced';
  readonly what: 'project' | 'state directory';
  readonly why: string;
}
export type CheckPlace = () => Promise<PlaceFinding>;
