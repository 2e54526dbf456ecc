import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { edit } from '../../../../src/cli/config/policy/edit.ts';
import { policyInForce } from '../../../../src/cli/config/policy/policy-source.ts';
import { readTrustedHashes, trustPolicy } from '../../../../src/cli/config/policy/trust-store.ts';
import type { AuditEntry } from '../../../../src/contracts/audit-entry.ts';

const INSTALL_ROOT = new URL('../../../../', import.meta.url).pathname;
const SHELL = 'capabilities: [{ name: shell, match: { syscall: shell.run }, action: allow }]\n';
const CLOSED = 'capabilities: [{ name: closed, match: { syscall: fs.read }, action: deny }]\n';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-edit-'));
  vi.stubEnv('TMPDIR', root);
  mkdirSync(join(root, 'project'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const projectRoot = () => join(root, 'project');
const policyFile = () => join(projectRoot(), '.fluffy/policy.yaml');
const trustDirectory = () => join(root, 'config/trust');

function audited(count: number): AuditEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    timestamp: 0,
    prev_hash: '',
    hash: '',
    event_type: 'syscall',
    syscall_type: 'fs.read',
    caller: 'kernel',
    session_mode: 'strict',
    state_machine_state: 'planning',
    policy_decision: 'allowed',
    input_summary: '',
    metadata: { targets: JSON.stringify([`src/f${index}.ts`]) },
  }));
}

/** Writes the drafts one after the other and answers the questions in turn. */
async function run(
  drafts: readonly (string | null)[],
  answers: readonly (string | null)[],
  entries: readonly AuditEntry[] = [],
  during?: () => void,
) {
  const left = { drafts: [...drafts], answers: [...answers] };
  const questions: string[] = [];
  const opened: string[] = [];
  let said = '';
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString('utf8');
      done();
    },
  });
  const outcome = await edit({
    installRoot: INSTALL_ROOT,
    projectRoot: projectRoot(),
    trustDirectory: trustDirectory(),
    stderr,
    recentAudit: (limit) => Promise.resolve(entries.slice(0, limit)),
    person: {
      edit: (file) => {
        opened.push(readFileSync(file, 'utf8'));
        expect(statSync(file).mode & 0o077).toBe(0);
        const draft = left.drafts.shift();
        during?.();
        if (draft === null) return Promise.resolve(false);
        if (draft !== undefined) writeFileSync(file, draft);
        return Promise.resolve(true);
      },
      ask: (question) => {
        questions.push(question);
        return Promise.resolve(left.answers.shift() ?? null);
      },
    },
  });
  return { ...outcome, said, questions, opened };
}

async function inForce() {
  const source = {
    kind: 'project' as const,
    installRoot: INSTALL_ROOT,
    projectRoot: projectRoot(),
    trustedHashes: await readTrustedHashes(trustDirectory()),
  };
  const policy = await policyInForce(source);
  if (policy.kind === 'invalid') throw new Error('invalid');
  return { names: policy.policy.yaml.rules.map(({ name }) => name), signed: policy.files.at(-1)?.signed };
}

test('what is written, confirmed and signed is in force', async () => {
  const outcome = await run([SHELL], ['y']);
  expect(outcome).toMatchObject({ exitCode: 0, changed: true });
  expect(readFileSync(policyFile(), 'utf8')).toBe(SHELL);
  expect(await inForce()).toMatchObject({ signed: true, names: expect.arrayContaining(['shell']) as unknown });
  expect([...(await readTrustedHashes(trustDirectory()))]).toEqual([createHash('sha256').update(SHELL).digest('hex')]);
  expect(readdirSync(join(projectRoot(), '.fluffy'))).toEqual(['policy.yaml']);
});

test('an unsigned policy that came with the project can be signed as it is', async () => {
  mkdirSync(join(projectRoot(), '.fluffy'));
  writeFileSync(policyFile(), SHELL);
  expect((await inForce()).names).not.toContain('shell');
  const outcome = await run([], ['yes']);
  expect(outcome.opened).toEqual([SHELL]);
  expect(outcome.changed).toBe(true);
  expect((await inForce()).names).toContain('shell');
  expect(await run([], [])).toMatchObject({ exitCode: 0, changed: false, said: 'Nothing has changed.\n' });
});

test.each([['no'], [''], [null], ['yes please']])(
  'an answer of %j changes nothing, and keeps what was written',
  async (answer) => {
    const outcome = await run([SHELL], [answer]);
    expect(outcome).toMatchObject({ exitCode: 4, changed: false });
    expect(existsSync(policyFile())).toBe(false);
    expect(await readTrustedHashes(trustDirectory())).toEqual(new Set());
    const kept = /kept in (.*)/.exec(outcome.said)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe(SHELL);
  },
);

test('an invalid text is shown with its places and can be edited again', async () => {
  const outcome = await run(['capabilities: 1\n', SHELL], ['y', 'y']);
  expect(outcome.said).toContain('.fluffy/policy.yaml:1:15: error: ');
  expect(outcome.changed).toBe(true);
});

test('an invalid text never gets into the project', async () => {
  const outcome = await run(['capabilities: 1\n'], ['n']);
  expect(outcome).toMatchObject({ exitCode: 2, changed: false });
  expect(existsSync(policyFile())).toBe(false);
});

test('changed results are shown, breaking ones marked', async () => {
  const outcome = await run([CLOSED], ['y'], audited(3));
  expect(outcome.said).toContain('these would be answered otherwise (3 breaking)');
  expect(outcome.said).toContain('[BREAKING] fs.read src/f0.ts (planning, strict): allow -> deny');
  expect(outcome.questions).toHaveLength(1);
});

test('more than five breaking results take a phrase, word for word', async () => {
  expect(await run([CLOSED], ['y'], audited(6))).toMatchObject({ exitCode: 4, changed: false });
  const outcome = await run([CLOSED], ['accept 6 breaking changes'], audited(6));
  expect(outcome.changed).toBe(true);
});

test('no more than a hundred requests are replayed', async () => {
  const outcome = await run([CLOSED], ['accept 100 breaking changes'], audited(150));
  expect(outcome.changed).toBe(true);
});

test('a policy that somebody else has written meanwhile stays', async () => {
  const outcome = await run([SHELL], ['y'], [], () => {
    mkdirSync(join(projectRoot(), '.fluffy'), { recursive: true });
    writeFileSync(policyFile(), CLOSED);
  });
  expect(outcome).toMatchObject({ exitCode: 1, changed: false });
  expect(readFileSync(policyFile(), 'utf8')).toBe(CLOSED);
});

test('without an editor nothing happens', async () => {
  expect(await run([null], [])).toMatchObject({ exitCode: 2, changed: false });
});

test('a policy that is a link is not followed', async () => {
  writeFileSync(join(root, 'secret'), 'capabilities: []');
  mkdirSync(join(projectRoot(), '.fluffy'));
  symlinkSync(join(root, 'secret'), policyFile());
  expect(await run([SHELL], ['y'])).toMatchObject({ exitCode: 2, changed: false });
  expect(readFileSync(join(root, 'secret'), 'utf8')).toBe('capabilities: []');
});

test('a directory of links is not followed either', async () => {
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(projectRoot(), '.fluffy'));
  expect((await run([SHELL], ['y'])).changed).toBe(false);
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});

test('signatures that somebody else could have made are not believed', async () => {
  mkdirSync(join(trustDirectory(), 'policies'), { recursive: true, mode: 0o777 });
  const { chmodSync } = await import('node:fs');
  chmodSync(join(trustDirectory(), 'policies'), 0o777);
  await expect(readTrustedHashes(trustDirectory())).rejects.toMatchObject({ code: 'trust_unsafe' });
  await expect(trustPolicy(trustDirectory(), 'a'.repeat(64), 'x')).rejects.toMatchObject({ code: 'trust_unsafe' });
});
