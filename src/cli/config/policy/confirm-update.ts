import type { Writable } from 'node:stream';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { interrupted } from './edit/edit-over.ts';
import type { Over } from './edit/edit-over.ts';
import type { Answer, EditorSession } from './edit/editor-session.ts';
import type { ProposedUpdate } from './propose-update.ts';
import { writeAll } from './write-all.ts';

export type Confirmation =
  | { readonly kind: 'yes' }
  /** `reason`: what the kernel records. */
  | { readonly kind: 'no'; readonly reason: string; readonly over: Over };

/** Shows what the text would change and asks. Only a yes, or the complete phrase if there is one, approves. */
export async function confirmUpdate(
  update: ProposedUpdate,
  {
    person,
    stderr,
    signal,
    diff,
  }: {
    readonly person: EditorSession;
    readonly stderr: Writable;
    readonly signal: AbortSignal;
    /** Between the present text and the new one. */
    readonly diff: string;
  },
): Promise<Confirmation> {
  await writeAll(
    stderr,
    `${escapeTerminal(diff, { multiline: true })}\n${renderDiagnostics(update.warnings)}${renderPlan(update)}\n`,
  );
  const { phrase } = update;
  const question =
    phrase === null
      ? 'Put this policy in force and sign it? [y/N] '
      : `Things will stop working, or be allowed that were denied.\nTo go on, type: ${escapeTerminal(phrase)}\n> `;
  const moot = new AbortController();
  const asked = person.ask(question, AbortSignal.any([signal, moot.signal]));
  const answer = await Promise.race([asked, update.gone.then(() => KERNEL_GONE)]);
  if (answer !== null && typeof answer !== 'string' && answer.kind === 'kernel-gone') {
    moot.abort();
    // The terminal must be restored before anything is written to it.
    await asked;
    return no('the kernel ended', EXIT.kernelCrashed, 'failed', 'The kernel ended before you decided');
  }
  if (typeof answer === 'string') {
    if (phrase === null ? isYes(answer) : answer.trim() === phrase) return { kind: 'yes' };
    return no('not confirmed', EXIT.decisionNeeded, 'not_confirmed', 'Not confirmed');
  }
  const reason = 'nobody could confirm it';
  if (answer === null) {
    const why = 'Only a human can confirm it, and there is no terminal to ask on';
    return no(reason, EXIT.decisionNeeded, 'not_confirmed', why);
  }
  if (answer.by !== 'end-of-input') return { kind: 'no', reason: 'interrupted', over: interrupted(answer.by) };
  return no(reason, EXIT.decisionNeeded, 'not_confirmed', 'No answer came');
}

export function isYes(answer: Answer): boolean {
  return typeof answer === 'string' && /^y(?:es)?$/i.test(answer.trim());
}

const KERNEL_GONE = { kind: 'kernel-gone' } as const;

function no(reason: string, exitCode: Over['exitCode'], outcome: Over['outcome'], why: string): Confirmation {
  const lines = [`${why}: nothing was changed.`];
  return { kind: 'no', reason, over: { kind: 'over', outcome, exitCode, lines } };
}

function renderPlan({ changes, breaking, replayed }: ProposedUpdate): string {
  if (changes.length === 0)
    return replayed === 0
      ? 'No request is on record that it could be tried on, and nothing of the policy in force is lost.'
      : `None of the last ${replayed} requests would be answered otherwise, and nothing of the policy in force is lost.`;
  const head = `What changes, with the last ${replayed} requests and a fixed set of others (${breaking} breaking):`;
  return [head, ...changes.map((change) => `  ${escapeTerminal(change)}`)].join('\n');
}
