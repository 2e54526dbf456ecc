import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import type { AuditVerdict, EpochVerdict } from './verify-audit.ts';

/** The verdict for people, several lines without a final newline. */
export function formatVerdict(verdict: AuditVerdict): string {
  return [...verdict.earlier.map(formatEarlier), formatCurrent(verdict)].join('\n');
}

function formatEarlier(verdict: EpochVerdict): string {
  const { epoch, entries, first_bad, deleted, trustworthy_through, anchored_through } = verdict;
  if (deleted)
    return `Epoch ${epoch}, closed by a reset: its records, up to ${entries}, were deleted by age, and a record says so.`;
  const end = first_bad === null ? `intact through record ${entries}` : `broken at record ${first_bad.id}`;
  const why =
    first_bad === null ? '' : ` (${escapeTerminal(first_bad.reason)}), to be trusted up to ${trustworthy_through}`;
  return `Epoch ${epoch}, closed by a reset: ${end}${why}; signed through ${anchored_through}.`;
}

function formatCurrent(verdict: EpochVerdict): string {
  const { entries, head, anchored_through, first_bad, trustworthy_through } = verdict;
  if (first_bad !== null) {
    return [
      `Audit log broken at record ${first_bad.id}: ${escapeTerminal(first_bad.reason)}`,
      trustworthy_through === 0
        ? 'No record can be trusted.'
        : `Records up to ${trustworthy_through} can be trusted, later ones cannot.`,
      describeAnchors(anchored_through),
    ].join('\n');
  }
  if (entries === 0) return 'Audit log intact: it has no records yet.';
  return [`Audit log intact: ${entries} records, head ${head ?? ''}`, describeAnchors(anchored_through, entries)].join(
    '\n',
  );
}

function describeAnchors(through: number, entries?: number): string {
  if (through === 0) return 'None of them was signed by the host: a log rewritten as a whole would not show.';
  if (through === entries) return 'All of them are as the host signed them.';
  return `Records up to ${through} are as the host signed them.`;
}
