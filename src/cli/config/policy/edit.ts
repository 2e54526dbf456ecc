import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { escapeTerminal } from '../../../lib/escape-terminal.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { makeDraft } from './draft.ts';
import { placePolicy } from './place-policy.ts';
import { PROJECT_POLICY } from './policy-source.ts';
import { readPolicyText, readProjectPolicyText } from './policy-text.ts';
import type { PolicyBase, PolicyUpdater, ProposedUpdate } from './propose-update.ts';
import { distrustPolicy, trustPolicy } from './trust-store.ts';
import { writeAll } from './write-all.ts';

export type Edited =
  | { readonly kind: 'closed' }
  | { readonly kind: 'no-editor' }
  /** It could not be run, or said that it failed: what is in the file is not what anybody means. */
  | { readonly kind: 'failed'; readonly why: string };

/** What the command needs of the person at the terminal. An `ask` that can't be answered (no terminal) resolves to null. */
export interface EditorSession {
  /** Opens the file and waits until it is closed. */
  edit(file: string): Promise<Edited>;
  ask(question: string): Promise<string | null>;
}

export interface EditOptions {
  readonly projectRoot: string;
  readonly trustDirectory: string;
  readonly person: EditorSession;
  /** Asked when the editor has been closed: who decides then what the text would change. */
  readonly updater: () => Promise<PolicyUpdater>;
  readonly stderr: Writable;
}

/** `changed`: the policy is another one now, from here on or from the kernel's next start. */
export interface EditOutcome {
  readonly exitCode: ExitCode;
  readonly changed: 'now' | 'next-start' | null;
}

/**
 * `fluffy config policy edit`: the only way in which a project policy comes to count in full. The text is edited outside of the project, checked and tried
 * on the last audited requests, confirmed by the person, and only then signed and put in place, in this order: a signature without its file does nothing.
 * Whatever comes between, the project is as it was, and the text is in the file that the message names.
 */
export async function edit(options: EditOptions): Promise<EditOutcome> {
  const { person, stderr, projectRoot } = options;
  const say = (text: string) => writeAll(stderr, `${text}\n`);
  const before = await readProjectPolicyText(join(projectRoot, PROJECT_POLICY));
  if (before.kind === 'unreadable') {
    await say(`${before.file} can't be read: ${before.why}`);
    return { exitCode: EXIT.usage, changed: null };
  }
  const base = before.kind === 'text' ? { text: before.text, sha256: sha256Of(before.text) } : null;
  const draft = await makeDraft(base?.text ?? TEMPLATE);
  const end = async (exitCode: ExitCode, ...lines: readonly string[]): Promise<EditOutcome> => {
    const kept = await draft.keepIfChanged();
    await say([...lines, ...(kept ? [`What you wrote is kept in ${draft.file}`] : [])].join('\n'));
    return { exitCode, changed: null };
  };

  try {
    for (;;) {
      const edited = await person.edit(draft.file);
      if (edited.kind === 'no-editor') return await end(EXIT.usage, 'There is no editor: set VISUAL or EDITOR.');
      if (edited.kind === 'failed') return await end(EXIT.usage, `The policy is as it was: ${edited.why}.`);
      const attempt = await tryDraft(options, base, draft.file);
      if (attempt.kind === 'done') {
        await draft.discard();
        await say(attempt.line);
        return { exitCode: EXIT.done, changed: attempt.changed };
      }
      if (attempt.kind === 'refused') return await end(attempt.exitCode, ...attempt.lines);
      await say(attempt.lines.join('\n'));
      const again = await person.ask('Edit it again? [y/N] ');
      if (!isYes(again)) return await end(EXIT.usage, 'The policy is as it was.');
    }
  } catch (error) {
    await end(EXIT.failed, 'The policy is as it was.');
    throw error;
  }
}

type Attempt =
  | { readonly kind: 'done'; readonly line: string; readonly changed: EditOutcome['changed'] }
  | { readonly kind: 'invalid'; readonly lines: readonly string[] }
  | { readonly kind: 'refused'; readonly exitCode: ExitCode; readonly lines: readonly string[] };

async function tryDraft(options: EditOptions, base: PolicyBase, file: string): Promise<Attempt> {
  const written = await readPolicyText(file);
  if (written.kind !== 'text') {
    const why = written.kind === 'missing' ? 'the file is gone' : written.why;
    return {
      kind: 'refused',
      exitCode: EXIT.usage,
      lines: [`${file} can't be read: ${why}. The policy is as it was.`],
    };
  }
  const updater = await options.updater();
  try {
    const proposal = await updater.propose(base, written.text);
    switch (proposal.kind) {
      case 'invalid':
        return { kind: 'invalid', lines: [renderDiagnostics([...proposal.errors, ...proposal.warnings]).trimEnd()] };
      case 'unchanged':
        return { kind: 'done', line: 'Nothing has changed.', changed: null };
      case 'conflict':
        return conflict(proposal.why);
      case 'denied': {
        const lines = [
          'The policy in force does not let itself be changed:',
          ...proposal.reasons.map((why) => escapeTerminal(why)),
        ];
        return { kind: 'refused', exitCode: EXIT.policyDenied, lines };
      }
      case 'proposed':
        return await carryOut(options, base, written.text, proposal.update);
      default:
        return assertNever(proposal);
    }
  } finally {
    updater.close();
  }
}

async function carryOut(
  options: EditOptions,
  base: PolicyBase,
  text: string,
  update: ProposedUpdate,
): Promise<Attempt> {
  const { person, projectRoot, trustDirectory } = options;
  await writeAll(options.stderr, `${renderDiagnostics(update.warnings)}${renderPlan(update)}\n`);
  const answer = await confirm(update, person);
  if (answer !== 'yes') {
    await update.reject(answer === 'no' ? 'not confirmed' : 'nobody was there to confirm it');
    const why = answer === 'no' ? 'Not confirmed' : 'Only a person can confirm it, and there is no terminal to ask at';
    return { kind: 'refused', exitCode: EXIT.decisionNeeded, lines: [`${why}: the policy is as it was.`] };
  }
  const approved = await update.approve();
  if (approved.kind === 'conflict') return conflict(approved.why);
  const hash = sha256Of(text);
  const fresh = await trustPolicy(trustDirectory, hash, `${projectRoot}/${PROJECT_POLICY}`);
  if ((await placePolicy({ projectRoot, base, text })) === 'conflict') {
    if (fresh) await distrustPolicy(trustDirectory, hash);
    return conflict(`${PROJECT_POLICY} was changed meanwhile`);
  }
  const changed = await update.takeUp();
  const when =
    changed === 'now'
      ? 'The running kernel decides by it from now on; calls under way finish by the old one.'
      : 'No kernel runs for this project; the next one decides by it.';
  return { kind: 'done', line: `${PROJECT_POLICY} is in place and signed. ${when}`, changed };
}

const TEMPLATE = `# The policy of this project, on top of the one that ships with fluffy (fluffy config policy show).
# A rule with the name of a shipped one takes its place; with \`action: pass\` it is gone. A section takes the place of the shipped section.
version: 1
capabilities: []
`;

function renderPlan({ changes, breaking, replayed }: ProposedUpdate): string {
  if (changes.length === 0) return `None of the last ${replayed} requests would be answered otherwise.`;
  const head = `Of the last ${replayed} requests, these would be answered otherwise (${breaking} breaking):`;
  return [head, ...changes.map((change) => `  ${escapeTerminal(change)}`)].join('\n');
}

async function confirm({ phrase }: ProposedUpdate, person: EditorSession): Promise<'yes' | 'no' | 'nobody'> {
  const question =
    phrase === null
      ? 'Put this policy in force and sign it? [y/N] '
      : `More than a few things will stop working. To go on, type: ${escapeTerminal(phrase)}\n> `;
  const answer = await person.ask(question);
  if (answer === null) return 'nobody';
  return (phrase === null ? isYes(answer) : answer.trim() === phrase) ? 'yes' : 'no';
}

function conflict(why: string): Attempt {
  return { kind: 'refused', exitCode: EXIT.failed, lines: [`${escapeTerminal(why)}. Nothing was written.`] };
}

function isYes(answer: string | null): boolean {
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
