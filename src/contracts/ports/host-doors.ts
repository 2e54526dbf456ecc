import type { AttestAnswer, AttestRequest } from '../evidence.ts';
import type { AnchorRequest } from '../guard-api.ts';
import type { Program } from '../sandbox-programs.ts';
import type { SandboxId } from '../ids.ts';

/**
 * The doors of one sandbox that only the host opens: `egress.sock`, and for a provider also `secret.sock`, made inside `directory`
 * (host only, one per sandbox, mounted read-only into that sandbox alone). The sockets belong to whoever made them; the guard
 * hands them to the sandbox's uid.
 *
 * `networkGroups`, of an `integration-test` alone, are names of whitelist groups as L1 claims them: they count only as far as the
 * host's own policy knows them. `provider`, of a provider program alone, is the name of one of the user's providers as L1 claims it,
 * or null for the one that the program is named for; its endpoint and key are the host's to know. Rejects when a door can't be opened; the sandbox is then not made.
 */
export type OpenDoors = (
  sandbox: SandboxId,
  program: Program,
  directory: string,
  networkGroups: readonly string[],
  provider: string | null,
) => Promise<OpenedDoors>;

export interface OpenedDoors {
  /** Ends every connection through the doors and removes the sockets. Never rejects. */
  close(): Promise<void>;
}

/** Signs and keeps the head of the audit chain, outside L1. What it resolves to is L1's answer, as JSON. */
export type Anchor = (request: AnchorRequest) => Promise<object>;

/** Signs the evidence of a decided commit with the host's key, or says why not. */
export type Attest = (request: AttestRequest) => Promise<AttestAnswer>;

/** Whether the user has signed the project policy whose text has this SHA-256. Asked anew each time: signatures come and go while L1 runs. */
export type IsSignedPolicy = (sha256: string) => Promise<boolean>;
