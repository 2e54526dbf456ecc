import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import type { SessionDetails } from '../read-sessions.ts';
import { exportBlocks } from './export-blocks.ts';
import type { ExportFormat } from './export-formats.ts';
import { formatHtml } from './format-html.ts';
import { formatMarkdown } from './format-markdown.ts';

/** A session as a document for others: nothing in it that has the form of a secret. */
export function exportSession(session: SessionDetails, format: ExportFormat): string {
  const masked = withoutSecrets(session) as SessionDetails;
  if (format === 'json') return `${JSON.stringify(masked, null, 2)}\n`;
  const blocks = exportBlocks(masked);
  return format === 'md' ? formatMarkdown(masked, blocks) : formatHtml(masked, blocks);
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value, []).text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSecrets(each)]));
}
