import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { AuditEntry } from '../../../contracts/audit-entry.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import {
  REPLAYED_REQUESTS,
  auditedRequests,
  combinePolicies,
  describeChange,
  planUpdate,
} from '../../../kernel/policy/index.ts';
import type { CompiledPolicy, UpdatePlan } from '../../../kernel/policy/index.ts';
import { escapeTerminal } from '../../../lib/escape-terminal.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { PROJECT_POLICY, loadShipped, loadText, policyInForce } from './policy-source.ts';
import { readPolicyText, readProjectPolicyText } from './policy-text.ts';
import { readTrustedHashes, replaceFile, trustPolicy } from './trust-store.ts';
import { writeAll } from './write-all.ts';

/** What the command needs of the person at the terminal. An `ask` that can't be answered (no terminal) resolves to null. */
export interface EditorSession {
  /** Opens the file and waits until it is closed; false if no editor could be run. */
  edit(file: string): Promise<boolean>;
  ask(question: string): Promise<string | null>;
}

export interface EditOptions {
  readonly installRoot: string;
  readonly projectRoot: string;
  readonly trustDirectory: string;
  readonly person: EditorSession;
  /** The newest records of the audit log, newest first; none where there is no log yet. */
  readonly recentAudit: (limit: number) => Promise<readonly AuditEntry[]>;
  readonly stderr: Writable;
}

/** `changed`: the policy in force is another one now, so a running kernel has to be told to reload. */
export interface EditOutcome {
  readonly exitCode: ExitCode;
  readonly changed: boolean;
}

/**
 * `fluffy config policy edit`: the only way in which a project policy comes to count in full. The text is edited outside of the project,
 * checked in memory, tried on the last audited requests, confirmed by the person, and only then put in place and signed, in this order:
 * a signature without its file does nothing, a file without its signature can only narrow.
 */
export async function edit(options: EditOptions): Promise<EditOutcome> {
  const { person, stderr, projectRoot, trustDirectory } = options;
  const say = (text: string) => writeAll(stderr, `${text}\n`);
  const refuse = async (exitCode: ExitCode, ...lines: readonly string[]): Promise<EditOutcome> => {
    await say(lines.join('\n'));
    return { exitCode, changed: false };
  };

  const before = await readProjectPolicyText(join(projectRoot, PROJECT_POLICY));
  if (before.kind === 'unreadable') return refuse(EXIT.usage, `${before.file} can't be read: ${before.why}`);
  const trustedHashes = await readTrustedHashes(trustDirectory);
  const source = { kind: 'project' as const, installRoot: options.installRoot, projectRoot, trustedHashes };
  const current = await policyInForce(source);
  if (current.kind === 'invalid') await say(`The policy as it is has errors:\n${renderDiagnostics(current.errors)}`);

  const draft = await makeDraft(before.kind === 'text' ? before.text : TEMPLATE);
  const kept = `What you wrote is kept in ${draft.file}`;
  for (;;) {
    if (!(await person.edit(draft.file))) {
      await draft.discard();
      return refuse(EXIT.usage, 'No editor could be run: set VISUAL or EDITOR.');
    }
    const proposed = await proposal(draft.file, options.installRoot);
    if (proposed.kind === 'invalid') {
      await say(renderDiagnostics(proposed.errors).trimEnd());
      if (isYes(await person.ask('Edit it again? [y/N] '))) continue;
      return refuse(EXIT.usage, 'The policy is as it was.', kept);
    }
    if (current.kind === 'ok' && proposed.policy.hash === current.policy.hash) {
      await draft.discard();
      return refuse(EXIT.done, 'Nothing has changed.');
    }
    const requests = (await options.recentAudit(REPLAYED_REQUESTS)).flatMap(auditedRequests);
    const base = current.kind === 'ok' ? current.policy : proposed.shipped;
    const plan = planUpdate(base, proposed.policy, requests);
    await say(renderDiagnostics(proposed.warnings) + renderPlan(plan, requests.length));
    if (!(await confirmed(plan, person))) {
      return refuse(EXIT.decisionNeeded, 'Not confirmed: the policy is as it was.', kept);
    }
    // A policy that somebody else has put there since the editor was opened is theirs to keep.
    if (!sameText(before, await readProjectPolicyText(join(projectRoot, PROJECT_POLICY)))) {
      return refuse(EXIT.failed, `${PROJECT_POLICY} was changed meanwhile. Nothing was written.`, kept);
    }
    const directory = join(projectRoot, '.fluffy');
    await mkdir(directory, { recursive: true });
    await replaceFile(directory, 'policy.yaml', proposed.text, 0o644);
    await trustPolicy(trustDirectory, proposed.textHash, `${projectRoot}/${PROJECT_POLICY}`);
    await draft.discard();
    await say(`${PROJECT_POLICY} is in place and signed.`);
    return { exitCode: EXIT.done, changed: true };
  }
}

const TEMPLATE = `# The policy of this project, on top of the one that ships with fluffy (fluffy config policy show).
# A rule with the name of a shipped one takes its place; with \`action: pass\` it is gone. A section takes the place of the shipped section.
version: 1
capabilities: []
`;

interface Draft {
  readonly file: string;
  readonly discard: () => Promise<void>;
}

/** In a directory of its own that nobody else can look into or put links in. */
async function makeDraft(text: string): Promise<Draft> {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-policy-'));
  const file = join(directory, 'policy.yaml');
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return { file, discard: () => rm(directory, { recursive: true, force: true }) };
}

type Proposal =
  | {
      readonly kind: 'ok';
      readonly text: string;
      readonly textHash: string;
      readonly policy: CompiledPolicy;
      readonly shipped: CompiledPolicy;
      readonly warnings: Parameters<typeof renderDiagnostics>[0];
    }
  | { readonly kind: 'invalid'; readonly errors: Parameters<typeof renderDiagnostics>[0] };

/** The draft as it would count once it is signed. */
async function proposal(file: string, installRoot: string): Promise<Proposal> {
  const text = await readPolicyText(file);
  const named = { ...text, file: PROJECT_POLICY };
  const project = loadText(named);
  if (project.kind === 'invalid' || named.kind !== 'text') {
    return { kind: 'invalid', errors: project.kind === 'invalid' ? project.errors : [] };
  }
  const shipped = await loadShipped(installRoot);
  if (shipped.kind === 'invalid') return shipped;
  const combined = combinePolicies(shipped, project, { signed: true, file: PROJECT_POLICY });
  if (combined.kind === 'invalid') return combined;
  const { policy, warnings } = combined;
  return {
    kind: 'ok',
    text: named.text,
    textHash: project.policy.hash,
    policy,
    shipped: shipped.policy,
    warnings: [...project.warnings, ...warnings],
  };
}

function renderPlan({ changes, breaking }: UpdatePlan, replayed: number): string {
  if (changes.length === 0) return `None of the last ${replayed} requests would be answered otherwise.`;
  const lines = changes.map((change) => `  ${escapeTerminal(describeChange(change))}`);
  return [`Of the last ${replayed} requests, these would be answered otherwise (${breaking} breaking):`, ...lines].join(
    '\n',
  );
}

async function confirmed({ phrase }: UpdatePlan, person: EditorSession): Promise<boolean> {
  if (phrase === null) return isYes(await person.ask('Put this policy in force and sign it? [y/N] '));
  const answer = await person.ask(`More than a few things will stop working. To go on, type: ${phrase}\n> `);
  return answer?.trim() === phrase;
}

function isYes(answer: string | null): boolean {
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}

function sameText(a: { readonly kind: string; readonly text?: string }, b: typeof a): boolean {
  return a.kind === b.kind && a.text === b.text;
}
