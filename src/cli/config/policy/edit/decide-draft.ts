import type { Writable } from 'node:stream';
import { EXIT } from '../../../../contracts/exit-codes.ts';
import type { PolicyDiagnostic } from '../../../../contracts/policy.ts';
import { assertNever } from '../../../../lib/assert-never.ts';
import { createUnifiedDiff } from '../../../../lib/diff/unified-diff.ts';
import { escapeTerminal } from '../../../../lib/text/escape-terminal.ts';
import { PROJECT_POLICY, readPolicyText } from '../../../../kernel/policy-source/read-policy-text.ts';
import { confirmUpdate } from '../confirm-update.ts';
import { UNCHANGED, conflict, failed, interrupted } from './edit-over.ts';
import type { Over } from './edit-over.ts';
import type { EditorSession } from './editor-session.ts';
import type { PolicyBase, PolicyUpdater, ProposedUpdate } from '../propose-update.ts';
import { writeAll } from '../write-all.ts';

export interface DraftDecision {
  readonly person: EditorSession;
  readonly file: string;
  readonly base: PolicyBase;
  /** The draft before anybody edited it. */
  readonly given: string;
  /** Whether the text of `base` is signed. */
  readonly signed: boolean;
  readonly openUpdater: () => Promise<PolicyUpdater>;
  readonly stderr: Writable;
  readonly signal: AbortSignal;
}

/** The result of one check of the draft. Nothing has been written in any case. */
export type Verdict =
  | { readonly kind: 'approved'; readonly text: string; readonly update: ProposedUpdate }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | Over;

/** Has the draft edited, checked and tested, and asks the person; an approval is recorded when this resolves. */
export async function decideDraft(options: DraftDecision): Promise<Verdict> {
  const { person, file, base, given, signed, stderr, signal } = options;
  const edited = await person.edit(file);
  if (edited.kind === 'no-editor') return failed('There is no editor: set VISUAL or EDITOR.');
  if (edited.kind === 'failed') return failed(`The policy was not changed: ${edited.why}.`);
  if (edited.kind === 'ended') return interrupted(edited.by);
  const written = await readPolicyText(file);
  if (written.kind !== 'text') {
    const why = written.kind === 'missing' ? 'the file no longer exists' : written.why;
    return failed(`${file} can't be read: ${why}. The policy was not changed.`);
  }
  const untouched = written.text === given;
  if (untouched && base === null) return UNCHANGED;

  const updater = await options.openUpdater();
  const proposal = await updater.propose(base, written.text);
  switch (proposal.kind) {
    case 'invalid':
      return proposal;
    case 'unchanged':
      return UNCHANGED;
    case 'conflict':
      return conflict(proposal.why);
    case 'denied': {
      if (untouched) return UNCHANGED;
      const reasons = proposal.reasons.map((why) => escapeTerminal(why));
      const lines = ['The policy in force does not let itself be changed:', ...reasons];
      return { kind: 'over', outcome: 'denied', exitCode: EXIT.policyDenied, lines };
    }
    case 'proposed': {
      const { update } = proposal;
      // Signed since the kernel last checked.
      if (untouched && signed) return UNCHANGED;
      if (untouched) await writeAll(stderr, `${AS_IT_CAME}\n`);
      const diff = createUnifiedDiff(PROJECT_POLICY, base?.text ?? '', written.text);
      const answer = await confirmUpdate(update, { person, stderr, signal, diff });
      if (answer.kind !== 'yes') {
        await update.reject(answer.reason);
        return { ...answer.over, update };
      }
      const approved = await update.approve();
      if (approved.kind === 'conflict') return { ...conflict(approved.why), update };
      return { kind: 'approved', text: written.text, update };
    }
    default:
      return assertNever(proposal);
  }
}

const AS_IT_CAME = `You have changed nothing. This is the text of ${PROJECT_POLICY} as it comes from the repository, and you have not signed it: it can only narrow.
To sign it is to have it count in full, with what it allows.`;
