import { assertNever } from '../../../lib/assert-never.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import { jsonLine } from '../../../lib/json-line.ts';
import { exportBlocks } from './export-blocks.ts';
import type { ExportBlock } from './export-blocks.ts';
import type { ExportedAudit, ExportedSession, ForkedDetails } from './exported-session.ts';
import type { ExportFormat } from './export-formats.ts';
import { formatHtml } from './format-html.ts';
import { formatMarkdown } from './format-markdown.ts';
import { inheritedBlocks } from './inherited-blocks.ts';
import { replayTurns } from './replay-turns.ts';

/** A session as a document for other people, with everything masked that looks like a secret. */
export function exportSession(session: ForkedDetails, audit: ExportedAudit, format: ExportFormat): string {
  const masked = mapTexts({ ...session, audit }, (text) => redactSecrets(text, []).text) as ExportedSession;
  const readable = (): ExportedSession => mapTexts(masked, withoutControls) as ExportedSession;
  switch (format) {
    case 'json':
      return `${escapeJsonForTerminal(JSON.stringify(masked, null, 2))}\n`;
    case 'replay':
      return replayTurns(masked)
        .map((turn) => jsonLine(turn))
        .join('');
    case 'md':
      return formatMarkdown(readable(), blocks(readable()));
    case 'html':
      return formatHtml(readable(), blocks(readable()));
    default:
      return assertNever(format);
  }
}

function blocks(session: ExportedSession): readonly ExportBlock[] {
  return [...inheritedBlocks(session.inherited), ...exportBlocks(session)];
}

/** Printed on a terminal, a document must not control it. JSON and replays are for programs and keep every character. */
function withoutControls(text: string): string {
  return text.replace(/(?!\r\n)[^\P{Cc}\n\t]/gu, (control) => escapeTerminal(control));
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}
