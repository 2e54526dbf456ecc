import type { ModelMessage } from '../../../contracts/model/model.ts';
import type { SessionDetails } from '../read-sessions.ts';

/** The result of verifying the audit log when the document was made. */
export interface ExportedAudit {
  /** Null: it could not be verified. */
  readonly intact: boolean | null;
  /** Hash of its last record. */
  readonly head: string | null;
  readonly words: string;
}

/** A session, with the conversation that it copied from another one if it is a fork. */
export type ForkedDetails = SessionDetails & { readonly inherited: readonly ModelMessage[] };

export type ExportedSession = ForkedDetails & { readonly audit: ExportedAudit };
