import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, vi } from 'vitest';
import { edit } from '../../../../src/cli/config/policy/edit/edit.ts';
import type { EditOptions } from '../../../../src/cli/config/policy/edit/edit.ts';
import type { EditOutcome } from '../../../../src/cli/config/policy/edit/edit-report.ts';
import type { EditReport } from '../../../../src/cli/config/policy/edit/edit-report.ts';
import type { Answer } from '../../../../src/cli/config/policy/edit/editor-session.ts';
import { policyOf } from '../../../../src/cli/config/policy/policy-source.ts';
import { signedHashes } from '../../../../src/cli/config/policy/trust-store.ts';
import { updaterOnHost } from '../../../../src/cli/config/policy/update-on-host.ts';
import type { AuditEntry } from '../../../../src/contracts/audit-entry.ts';
import { auditedRead } from '../../../support/audited-read.ts';

export const INSTALL_ROOT = new URL('../../../../', import.meta.url).pathname;
export const SHELL = 'capabilities: [{ name: shell, match: { syscall: shell.run }, action: allow }]\n';
export const CLOSED = 'capabilities: [{ name: closed, match: { syscall: fs.read }, action: deny }]\n';

export interface Ran extends EditOutcome {
  readonly said: string;
  readonly questions: readonly string[];
  /** What the editor was given, each time. */
  readonly opened: readonly string[];
  readonly report: EditReport | undefined;
}

/** A project and a home of their own, with drafts in the same directory. */
export interface EditScene {
  readonly root: string;
  readonly projectRoot: string;
  readonly policyFile: string;
  readonly trustDirectory: string;
  /** Puts a text into the project as a clone would bring it. */
  clone(text: string): void;
  /** Writes the drafts one after the other (undefined: leaves them as they are; null: no editor) and answers the questions in turn. */
  run(drafts: readonly (string | null)[], answers: readonly Answer[], more?: RunOptions): Promise<Ran>;
  inForce(): Promise<{ readonly names: readonly string[]; readonly signed: boolean | undefined }>;
  trusted(): Promise<ReadonlySet<string>>;
  remove(): void;
}

export interface RunOptions {
  readonly entries?: readonly AuditEntry[];
  /** Happens while the editor is open. */
  readonly during?: () => void;
  readonly instead?: Partial<EditOptions>;
}

export function editScene(): EditScene {
  const root = mkdtempSync(join(tmpdir(), 'fluffy-edit-'));
  vi.stubEnv('TMPDIR', root);
  const projectRoot = join(root, 'project');
  mkdirSync(projectRoot);
  const policyFile = join(projectRoot, '.fluffy/policy.yaml');
  const trustDirectory = join(root, 'config/trust');
  return {
    root,
    projectRoot,
    policyFile,
    trustDirectory,
    clone: (text) => {
      mkdirSync(join(projectRoot, '.fluffy'), { recursive: true });
      writeFileSync(policyFile, text);
    },
    run: (drafts, answers, more = {}) => runEdit({ projectRoot, trustDirectory }, drafts, answers, more),
    inForce: async () => {
      const trustedHashes = await signedHashes(trustDirectory, projectRoot);
      const source = { kind: 'project' as const, installRoot: INSTALL_ROOT, projectRoot, trustedHashes };
      const policy = await policyOf(source);
      if (policy.kind === 'invalid') throw new Error('invalid');
      return { names: policy.policy.yaml.rules.map(({ name }) => name), signed: policy.files.at(-1)?.signed };
    },
    trusted: () => signedHashes(trustDirectory, projectRoot),
    remove: () => {
      vi.unstubAllEnvs();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function runEdit(
  where: { readonly projectRoot: string; readonly trustDirectory: string },
  drafts: readonly (string | null)[],
  answers: readonly Answer[],
  { entries = [], during, instead }: RunOptions,
): Promise<Ran> {
  const left = { drafts: [...drafts], answers: [...answers] };
  const questions: string[] = [];
  const opened: string[] = [];
  const reports: EditReport[] = [];
  const stderr = new Heard();
  const recentAudit = (limit: number) => Promise.resolve(entries.slice(0, limit));
  const outcome = await edit({
    ...where,
    stderr,
    updater: () => Promise.resolve(updaterOnHost({ ...where, installRoot: INSTALL_ROOT, recentAudit })),
    report: (report) => Promise.resolve(void reports.push(report)),
    person: {
      edit: (file) => {
        opened.push(readFileSync(file, 'utf8'));
        expect(statSync(file).mode & 0o077).toBe(0);
        const draft = left.drafts.shift();
        during?.();
        if (draft === null) return Promise.resolve({ kind: 'no-editor' });
        if (draft !== undefined) writeFileSync(file, draft);
        return Promise.resolve({ kind: 'closed' });
      },
      ask: (question) => {
        questions.push(question);
        const answer = left.answers.shift() ?? null;
        // A yes is whatever the question wants for one.
        const phrase = /type: (.*)\n/.exec(question)?.[1];
        return Promise.resolve(/^y(?:es)?$/.test(answer?.toString() ?? '') && phrase !== undefined ? phrase : answer);
      },
    },
    ...instead,
  });
  expect(reports.length).toBe(instead?.report === undefined ? 1 : 0);
  return { ...outcome, said: stderr.text, questions, opened, report: reports[0] };
}

/** Keeps what was written. */
export class Heard extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** The text in the file that the message names. */
export function keptText(said: string): string {
  return readFileSync(/kept in (.*)/.exec(said)?.[1] ?? '', 'utf8');
}

/** This number of reads that were allowed. */
export function audited(count: number): AuditEntry[] {
  return Array.from({ length: count }, (_, index) => auditedRead(`src/f${index}.ts`, index + 1));
}
