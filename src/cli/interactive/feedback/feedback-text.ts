import type { FluffyEvent } from '../../../contracts/session/events.ts';
import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import { printDoctor } from '../../doctor/print-doctor.ts';
import type { DoctorReport } from '../../doctor/doctor-report.ts';
import { outlineOf } from './session-outline.ts';

export interface FeedbackFacts {
  /** The person's own words; empty: to be written later. */
  readonly said: string;
  readonly version: string;
  /** Names and values of known facts about machine and terminal. */
  readonly machine: readonly (readonly [string, string])[];
  readonly session: { readonly id: string; readonly events: readonly FluffyEvent[] } | null;
  readonly doctor: DoctorReport;
  /** Keys that the user's configuration sets, without their values. */
  readonly configured: readonly string[];
  /** End of the supervisor's log. */
  readonly log: string;
  /** Replaced by `~` in the file. */
  readonly home: string | undefined;
}

const MAX_EVENTS = 200;
const ASKED = '(Write here what you did, what you expected, and what happened.)';

/** The Markdown of `/feedback`: what a maintainer needs, with everything masked that looks like a secret. Pure. */
export function feedbackText(facts: FeedbackFacts): string {
  const { said, version, machine, session, doctor, configured, log } = facts;
  const text = [
    `# Feedback about fluffy ${version}`,
    said.trim() === '' ? ASKED : said.trim(),
    '## Machine',
    machine.map(([name, value]) => `- ${name}: ${value}`).join('\n'),
    `- set in the configuration: ${configured.length === 0 ? 'nothing' : configured.join(', ')}`,
    ...(session === null ? [] : [`## Session ${session.id}, without its messages`, fenced(outline(session.events))]),
    '## fluffy doctor',
    fenced(printDoctor(doctor)),
    '## Log',
    fenced(log),
  ].join('\n\n');
  return `${redactSecrets(withoutHome(text, facts.home), []).text}\n`;
}

function outline(events: readonly FluffyEvent[]): string {
  const begun = events[0]?.ts ?? 0;
  const lines = events.flatMap((event) => {
    const words = outlineOf(event);
    return words === null ? [] : [`${((event.ts - begun) / 1000).toFixed(1)} s  ${words}`];
  });
  const left = lines.length - MAX_EVENTS;
  return [...(left > 0 ? [`(${left} earlier ones are left out)`] : []), ...lines.slice(-MAX_EVENTS)].join('\n');
}

/** Uses more backquotes than the longest run in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trim() === '' ? '(empty)' : text.trimEnd()}\n${fence}`;
}

function withoutHome(text: string, home: string | undefined): string {
  return home === undefined || home.length < 2 ? text : text.replaceAll(home, '~');
}
