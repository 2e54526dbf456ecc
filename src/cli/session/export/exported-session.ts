import type { SessionDetails } from '../read-sessions.ts';

/** What verifying the audit log said when the document was made. */
export interface ExportedAudit {
  /** Null: it could not be verified. */
  readonly intact: boolean | null;
  /** Hash of its last record. */
  readonly head: string | null;
  readonly words: string;
}

export type ExportedSession = SessionDetails & { readonly audit: ExportedAudit };
