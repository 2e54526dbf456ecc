import type { AuditEntry } from '../../contracts/audit-entry.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { LivingSandbox } from '../../contracts/ports/sandboxes.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import { conditionText } from '../../lib/evidence/conditions.ts';
import { groupDigits } from '../../lib/text/group-digits.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import { projectNotes } from '../run/prompt/project-notes.ts';
import type { SessionWork } from '../services.ts';

const RECORDS_SHOWN = 15;
/** Number of records that are searched for records of the session. */
const RECORDS_SEARCHED = 2_000;
const DIGEST_SHOWN = 12;

/** What policy requires reviews for, and what it approves alone. Pure. */
export function describePolicy({ hash, builtin, yaml, review, networkWhitelist, extensions }: CompiledPolicy): string {
  const { rules } = yaml;
  const of = (action: string) => rules.filter((rule) => rule.action === action).length;
  const groups = [...networkWhitelist].map(([name, hosts]) => `${name} (${hosts.length})`);
  return [
    `policy ${hash.slice(0, DIGEST_SHOWN)}: ${rules.length} rules of files (${of('allow')} allow, ${of('deny')} deny, ${of('require_review')} ask), ${builtin.rules.length} built in; what no rule allows is denied`,
    review.autoApprove === 'never'
      ? 'no commit is approved without you'
      : `a commit is approved without you if all of this holds: ${review.autoApprove.map(conditionText).join(', ')}, at most ${groupDigits(review.maxDiffLines)} changed lines, no sensitive file`,
    `exempt from tests: ${review.exemptions === 'ask' ? 'you are asked' : 'without a question'}; mutants: ${review.mutation === 'run' ? 'tried' : 'not tried'}`,
    `network groups: ${groups.length === 0 ? 'none' : groups.join(', ')}`,
    `extensions: ${extensions.length === 0 ? 'none' : extensions.map(({ name }) => name).join(', ')}`,
    'fluffy config policy show prints the whole policy; fluffy config policy explain TOOL PATH shows a decision; /why explains the last refusal',
  ].join('\n');
}

/** The newest records of the session, oldest first, and the head of the log. */
export function describeAudit(audit: AuditLog, session: string): string {
  const { entries, hash } = audit.head();
  const own = audit.recent(RECORDS_SEARCHED).filter((entry) => entry.session_id === session);
  return [
    ...own.slice(0, RECORDS_SHOWN).reverse().map(recordLine),
    '',
    `${groupDigits(entries)} records, the last with hash ${hash.slice(0, DIGEST_SHOWN)}`,
    'fluffy audit log shows all; fluffy audit verify checks their chain and signatures',
  ].join('\n');
}

/** Maximum characters for the subject of a record. */
const MAX_ABOUT = 60;

/** One record in columns: number, time (UTC), event and subject; a decision is named unless it is a plain allow. */
function recordLine(entry: AuditEntry): string {
  const { id, timestamp, event_type: event, policy_decision: decision, tool_name: tool, syscall_type: syscall } = entry;
  const time = new Date(timestamp).toISOString().slice(11, 19);
  const about = [tool ?? syscall ?? '', entry.input_summary, entry.deny_reason ?? ''].filter((words) => words !== '');
  const decided = decision === 'allowed' ? '' : `${decision} `;
  const columns = `${String(id).padStart(5)}  ${time}  ${event.padEnd(17)}`;
  return `${columns}  ${decided}${oneLine(about.join(' '), MAX_ABOUT)}`.trimEnd();
}

export function describeSandboxes(living: readonly LivingSandbox[]): string {
  if (living.length === 0)
    return 'No sandbox of this session is running. Each call, test run and model has its own sandbox.';
  return living
    .map(
      ({ id, program, template, state, ageMs }) =>
        `${id}  ${program}  ${template}  ${state} for ${(ageMs / 1000).toFixed(0)} s`,
    )
    .join('\n');
}

/** AGENTS.md and CLAUDE.md in the form that the model gets at the beginning of a session. */
export async function describeNotes(work: SessionWork): Promise<string> {
  const notes = await projectNotes(work);
  return notes === ''
    ? 'There is no AGENTS.md or CLAUDE.md that the model may read. #note proposes a line for AGENTS.md.'
    : notes;
}
