import { isProvedWithoutRed, KIND_DEFINITIONS } from '../../../contracts/review/change-kinds.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import { COMMIT_STATUSES } from './commit-verdict.ts';
import type { CommitVerdict, Proof } from './commit-verdict.ts';
import type { RangeVerdict } from './verify-range.ts';

const SHORT = 10;
const MAX_PROBLEMS = 10;
const INDENT = ' '.repeat(SHORT + 2);

/** The verdict for people, several lines without a final newline. */
export function formatRange(verdict: RangeVerdict): string {
  const { commits, counts, range } = verdict;
  if (commits.length === 0) {
    return `No commit is in ${range.to.slice(0, SHORT)} and not in ${range.from.slice(0, SHORT)}.`;
  }
  const counted = COMMIT_STATUSES.map((status) => `${counts[status]} ${status}`).join(', ');
  return [
    ...commits.flatMap((commit) => describeCommit(commit, verdict.require)),
    `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}: ${counted}.`,
    conclusion(verdict),
  ].join('\n');
}

function describeCommit(verdict: CommitVerdict, require: string | null): string[] {
  const { commit, subject, status } = verdict;
  const word = status === 'broken' ? 'BROKEN' : status;
  return [
    `${commit.slice(0, SHORT)}  ${word.padEnd(10)}  ${escapeTerminal(subject)}`,
    ...describeMore(verdict, require).map((line) => INDENT + escapeTerminal(line)),
  ];
}

function describeMore({ status, proof, problems }: CommitVerdict, require: string | null): string[] {
  switch (status) {
    case 'verified':
    case 'unverified':
      return proof === null
        ? []
        : [describeTests(proof), ...describeProof(proof), describeModels(proof), describeDecision(proof)];
    case 'unattested':
      return [`claims no evidence: made without fluffy${require === null ? '' : ', which is not enough here'}`];
    case 'broken': {
      const more = problems.length - MAX_PROBLEMS;
      return [
        ...problems.slice(0, MAX_PROBLEMS).map(({ check, reason }) => `${check}: ${reason}`),
        ...(more > 0 ? [`and ${more} more`] : []),
      ];
    }
    default:
      return assertNever(status);
  }
}

function describeTests({ mode, kind, red, green, exemption }: Proof): string {
  const suite =
    green === null
      ? 'the tests did not run'
      : `suite green with ${green.passed} passed` +
        (green.failed > 0 ? `, ${green.failed} failing as before` : '') +
        (green.skipped > 0 ? `, ${green.skipped} skipped` : '');
  if (red === null) {
    const what = kind !== null && isProvedWithoutRed(kind) ? `${KIND_DEFINITIONS[kind].title}, ` : '';
    const why = exemption === null ? `${what}no test had to fail first` : `exempted: ${exemption}`;
    return `${mode}: ${why}; ${suite}`;
  }
  return `${mode}: ${red.cases} failed before the change, in ${red.frozen} frozen ${red.frozen === 1 ? 'file' : 'files'}; ${suite}`;
}

/** The observations beyond red and green as a table, and the findings. */
function describeProof({ grade, observed }: Proof): string[] {
  const rows = grade.filter(({ label }) => label !== 'red');
  const width = Math.max(0, ...rows.map(({ label }) => label.length));
  return [
    ...rows.map(({ label, words }) => `  ${label.padEnd(width)}  ${words}`),
    ...(observed?.findings ?? []).slice(0, MAX_PROBLEMS).map(({ path, line, words }) => `  ${path}:${line}: ${words}`),
  ];
}

function describeModels({ models }: Proof): string {
  return `written by ${models.join(', ')}`;
}

function describeDecision({ decided, host }: Proof): string {
  const by =
    decided.by === 'policy' ? 'approved by policy' : `approved by a human (key ${decided.key.slice(0, SHORT)})`;
  return `${by}; signed by host ${host.key.slice(0, SHORT)} on ${formatTime(host.signed_ms)}, at record ${host.entries}`;
}

function conclusion({ intact, counts, require, unmet }: RangeVerdict): string {
  const missing = unmet.map((id) => id.slice(0, SHORT)).join(', ');
  if (counts.broken > 0) return 'Broken: the claims of BROKEN commits do not hold.';
  if (intact) {
    return counts.unattested === 0
      ? 'Intact: all evidence holds.'
      : `Intact: all evidence holds; nothing is known about ${counts.unattested} without evidence.`;
  }
  return `Not enough: every commit has to meet ${require ?? 'attested'}, and some do not: ${missing}.`;
}

/** ISO 8601 in UTC, or the number itself if it is not a valid date. */
function formatTime(timestampMs: number): string {
  const date = new Date(timestampMs);
  return Number.isNaN(date.getTime()) ? String(timestampMs) : date.toISOString();
}
