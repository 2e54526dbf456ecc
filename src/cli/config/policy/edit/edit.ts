import type { EditOutcome } from './edit-report.ts';
import { EXIT } from '../../../../contracts/exit-codes.ts';
import {
  PROJECT_POLICY,
  readError,
  readProjectPolicyText,
  sha256Of,
} from '../../../../kernel/policy-source/read-policy-text.ts';
import { isYes } from '../confirm-update.ts';
import { decideDraft } from './decide-draft.ts';
import type { DraftDecision } from './decide-draft.ts';
import { renderDiagnostics } from '../diagnostics.ts';
import { makeDraft } from './draft.ts';
import { editEnding } from './edit-ending.ts';
import type { EndingOptions } from './edit-ending.ts';
import { conflict, failed, interrupted } from './edit-over.ts';
import type { Over } from './edit-over.ts';
import type { Answer, EditorSession } from './editor-session.ts';
import type { PolicyUpdater } from '../propose-update.ts';
import { putInForce } from '../put-in-force.ts';
import { signedHashes } from '../trust-store.ts';
import { writeAll } from '../write-all.ts';

export interface EditOptions extends EndingOptions {
  readonly person: EditorSession;
  /** Called when the editor has been closed: the updater then decides what the text would change. */
  readonly updater: () => Promise<PolicyUpdater>;
}

/**
 * `fluffy config policy edit`: the only way to give a project policy full effect. The text is edited outside the project, checked and tested on the
 * last audited requests, confirmed by the person, and only then signed and written, in this order: a signature without its file has no effect. If
 * anything fails before that, the project is unchanged, and the text is in the file that the message names. Throws FluffyError `trust_unsafe`, and
 * what its updater throws.
 */
export async function edit(options: EditOptions): Promise<EditOutcome> {
  const { person, stderr, projectRoot, trustDirectory } = options;
  const before = await readProjectPolicyText(projectRoot);
  if (before.kind === 'unreadable') {
    const errors = [readError(before)];
    return editEnding(options, null).over(failed(`${before.file} can't be read: ${before.why}`), { errors });
  }
  const base = before.kind === 'text' ? { text: before.text, sha256: sha256Of(before.text) } : null;
  const signed = base !== null && (await signedHashes(trustDirectory, projectRoot)).has(base.sha256);
  const given = base?.text ?? TEMPLATE;
  const draft = await makeDraft(given);
  const ending = editEnding(options, draft);
  const { ended, signal } = watchForEnd(person);
  const updaters: PolicyUpdater[] = [];
  const openUpdater = async () => {
    const updater = await options.updater();
    updaters.push(updater);
    return updater;
  };
  const look: DraftDecision = { person, file: draft.file, base, given, signed, openUpdater, stderr, signal };
  try {
    for (;;) {
      const verdict = await Promise.race([decideDraft(look), ended]);
      if (verdict.kind === 'over') return await ending.over(verdict);
      if (verdict.kind === 'approved') {
        // From here on the change is completed: a request to end waits for it.
        const { text, update } = verdict;
        const placed = await putInForce({ projectRoot, trustDirectory, base, text, update, ended });
        if (placed.kind === 'placed') return await ending.inForce(placed, update);
        return await ending.over({ ...conflict(`${PROJECT_POLICY} was changed meanwhile`), update });
      }
      const { errors, warnings } = verdict;
      await writeAll(stderr, renderDiagnostics([...errors, ...warnings]));
      const again = await person.ask('Edit it again? [y/N] ', signal);
      if (signal.aborted) return await ending.over(await ended, { errors, warnings });
      if (!isYes(again)) return await ending.over(notAgain(again), { errors, warnings });
    }
  } catch (error) {
    await ending.over(failed('The policy was not changed.'));
    throw error;
  } finally {
    for (const updater of updaters) updater.close();
  }
}

/** `ended` resolves on a request to end, and `signal` aborts then: work in progress is not awaited. */
function watchForEnd(person: EditorSession): { readonly ended: Promise<Over>; readonly signal: AbortSignal } {
  const stop = new AbortController();
  const ended = (person.ended ?? new Promise<never>(() => undefined)).then((by) => {
    stop.abort();
    return interrupted(by);
  });
  return { ended, signal: stop.signal };
}

function notAgain(answer: Answer): Over {
  if (answer !== null && typeof answer !== 'string' && answer.by !== 'end-of-input') return interrupted(answer.by);
  return { kind: 'over', outcome: 'invalid', exitCode: EXIT.usage, lines: ['The policy was not changed.'] };
}

const TEMPLATE = `# The policy of this project, on top of the one that ships with fluffy (fluffy config policy show).
# A rule with the name of a shipped one takes its place; with \`action: pass\` it is gone. Sections are merged key by key.
version: 1
capabilities: []
`;
