import { assertNever } from '../../../lib/assert-never.ts';
import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import { exportBlocks } from './export-blocks.ts';
import type { ExportBlock } from './export-blocks.ts';
import type { ExportedAudit, ExportedSession, ForkedDetails } from './exported-session.ts';
import type { ExportFormat } from './export-formats.ts';
import { formatHtml } from './format-html.ts';
import { formatMarkdown } from './format-markdown.ts';
import { inheritedBlocks } from './inherited-blocks.ts';
import { replayTurns } from './replay-turns.ts';

/** A session as a document for others: nothing in it that has the form of a secret. */
export function exportSession(session: ForkedDetails, audit: ExportedAudit, format: ExportFormat): string {
  const masked = withoutSecrets({ ...session, audit }) as ExportedSession;
  switch (format) {
    case 'json':
      return `${JSON.stringify(masked, null, 2)}\n`;
    case 'replay':
      return replayTurns(masked)
        .map((turn) => `${JSON.stringify(turn)}\n`)
        .join('');
    case 'md':
      return formatMarkdown(masked, blocks(masked));
    case 'html':
      return formatHtml(masked, blocks(masked));
    default:
      return assertNever(format);
  }
}

function blocks(session: ExportedSession): readonly ExportBlock[] {
  return [...inheritedBlocks(session.inherited), ...exportBlocks(session)];
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value, []).text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSecrets(each)]));
}
