import type { AuditEntry } from '../../contracts/audit-entry.ts';
import { escapeTerminal } from '../text/escape-terminal.ts';

/** One record on one line: number, time, event, decision, who, what. */
export function formatEntry(entry: AuditEntry): string {
  const caller = typeof entry.caller === 'string' ? entry.caller : entry.caller.plugin;
  const subject = entry.tool_name ?? entry.syscall_type;
  const words = [
    String(entry.id).padStart(6),
    formatTime(entry.timestamp),
    entry.event_type.padEnd(19),
    entry.policy_decision.padEnd(16),
    `[${entry.session_mode}/${entry.state_machine_state}]`,
    caller,
    ...(subject === undefined ? [] : [subject]),
    entry.input_summary,
    ...(entry.deny_reason === undefined ? [] : [`— ${entry.deny_reason}`]),
  ];
  return escapeTerminal(words.join(' ').trimEnd());
}

/** ISO 8601 in UTC, or the number itself when it is not a valid date. */
function formatTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString();
}
