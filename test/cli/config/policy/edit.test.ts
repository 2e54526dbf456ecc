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
import { updaterOnHost } from '../../../../src/cli/config/policy/update-on-host.ts';
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
  instead?: Partial<Parameters<typeof edit>[0]>,
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
    projectRoot: projectRoot(),
    trustDirectory: trustDirectory(),
    stderr,
    updater: () =>
      Promise.resolve(
        updaterOnHost({
          installRoot: INSTALL_ROOT,
          projectRoot: projectRoot(),
          trustDirectory: trustDirectory(),
          recentAudit: (limit) => Promise.resolve(entries.slice(0, limit)),
        }),
      ),
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
        return Promise.resolve(left.answers.shift() ?? null);
      },
    },
    ...instead,
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
  expect(outcome).toMatchObject({ exitCode: 0, changed: 'next-start' });
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
  expect(outcome.changed).toBe('next-start');
  expect((await inForce()).names).toContain('shell');
  expect(await run([], [])).toMatchObject({ exitCode: 0, changed: null, said: 'Nothing has changed.\n' });
});

test.each([['no'], [''], [null], ['yes please']])(
  'an answer of %j changes nothing, and keeps what was written',
  async (answer) => {
    const outcome = await run([SHELL], [answer]);
    expect(outcome).toMatchObject({ exitCode: 4, changed: null });
    expect(existsSync(policyFile())).toBe(false);
    expect(await readTrustedHashes(trustDirectory())).toEqual(new Set());
    const kept = /kept in (.*)/.exec(outcome.said)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe(SHELL);
  },
);

test('an invalid text is shown with its places and can be edited again', async () => {
  const outcome = await run(['capabilities: 1\n', SHELL], ['y', 'y']);
  expect(outcome.said).toContain('.fluffy/policy.yaml:1:15: error: ');
  expect(outcome.changed).toBe('next-start');
});

test('an extension that is not there, or is none, is an error of the text', async () => {
  mkdirSync(join(projectRoot(), '.fluffy'));
  const extension = (source: string) => {
    writeFileSync(join(projectRoot(), '.fluffy/rule.ts'), source);
    const digest = createHash('sha256').update(source).digest('hex');
    return `extensions: [{ name: rule, entry: rule.ts, sha256: ${digest} }]\n`;
  };
  const changed = extension('export default () => ({ decision: "pass" });\n');
  writeFileSync(join(projectRoot(), '.fluffy/rule.ts'), 'changed\n');
  expect(await run([changed], ['n'])).toMatchObject({ exitCode: 2, changed: null });
  const none = await run([extension('export const a = 1;\n')], ['n']);
  expect(none.said).toContain('it has no default export');
  expect(existsSync(policyFile())).toBe(false);
  expect((await run([extension('export default () => ({ decision: "pass" });\n')], ['y'])).changed).toBe('next-start');
});

test('an invalid text never gets into the project', async () => {
  const outcome = await run(['capabilities: 1\n'], ['n']);
  expect(outcome).toMatchObject({ exitCode: 2, changed: null });
  expect(existsSync(policyFile())).toBe(false);
});

test('changed results are shown, breaking ones marked', async () => {
  const outcome = await run([CLOSED], ['y'], audited(3));
  expect(outcome.said).toContain('these would be answered otherwise (3 breaking)');
  expect(outcome.said).toContain('[BREAKING] fs.read src/f0.ts (planning, strict): allow -> deny');
  expect(outcome.questions).toHaveLength(1);
});

test('more than five breaking results take a phrase, word for word', async () => {
  expect(await run([CLOSED], ['y'], audited(6))).toMatchObject({ exitCode: 4, changed: null });
  const outcome = await run([CLOSED], ['accept 6 breaking changes'], audited(6));
  expect(outcome.changed).toBe('next-start');
});

test('no more than a hundred requests are replayed', async () => {
  const outcome = await run([CLOSED], ['accept 100 breaking changes'], audited(150));
  expect(outcome.changed).toBe('next-start');
});

test('a policy that somebody else has written meanwhile stays', async () => {
  const outcome = await run([SHELL], ['y'], [], () => {
    mkdirSync(join(projectRoot(), '.fluffy'), { recursive: true });
    writeFileSync(policyFile(), CLOSED);
  });
  expect(outcome).toMatchObject({ exitCode: 1, changed: null });
  expect(readFileSync(policyFile(), 'utf8')).toBe(CLOSED);
});

test('a policy that somebody writes while it is being confirmed stays, and the signature is taken back', async () => {
  const person = {
    edit: (file: string) => {
      writeFileSync(file, SHELL);
      return Promise.resolve({ kind: 'closed' as const });
    },
    ask: () => {
      mkdirSync(join(projectRoot(), '.fluffy'), { recursive: true });
      writeFileSync(policyFile(), CLOSED);
      return Promise.resolve('y');
    },
  };
  const outcome = await run([], [], [], undefined, { person });
  expect(outcome).toMatchObject({ exitCode: 1, changed: null });
  expect(outcome.said).toContain('was changed meanwhile. Nothing was written.');
  expect(readFileSync(policyFile(), 'utf8')).toBe(CLOSED);
  expect(await readTrustedHashes(trustDirectory())).toEqual(new Set());
});

const keptText = (said: string) => readFileSync(/kept in (.*)/.exec(said)?.[1] ?? '', 'utf8');

test('an editor that fails changes nothing, and what was written is kept', async () => {
  const person = {
    edit: (file: string) => {
      writeFileSync(file, SHELL);
      return Promise.resolve({ kind: 'failed' as const, why: 'the editor ended with exit 1' });
    },
    ask: () => Promise.resolve('y'),
  };
  const outcome = await run([], [], [], undefined, { person });
  expect(outcome).toMatchObject({ exitCode: 2, changed: null });
  expect(outcome.said).toContain('The policy is as it was: the editor ended with exit 1.');
  expect(keptText(outcome.said)).toBe(SHELL);
});

test('whatever goes wrong afterwards, what was written is kept', async () => {
  const said: string[] = [];
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said.push(chunk.toString());
      done();
    },
  });
  const updater = () => Promise.reject(new Error('the kernel is gone'));
  await expect(run([SHELL], ['y'], [], undefined, { updater, stderr })).rejects.toThrow('the kernel is gone');
  expect(keptText(said.join(''))).toBe(SHELL);
  expect(existsSync(policyFile())).toBe(false);
});

test('with nobody at a terminal what would change is shown, and nothing is put in force', async () => {
  const outcome = await run([CLOSED], [null], audited(3));
  expect(outcome).toMatchObject({ exitCode: 4, changed: null });
  expect(outcome.said).toContain('[BREAKING] fs.read src/f0.ts');
  expect(outcome.said).toContain('Only a person can confirm it, and there is no terminal to ask at');
  expect(keptText(outcome.said)).toBe(CLOSED);
});

test('a policy that denies its own change cannot be changed here', async () => {
  const locked =
    'capabilities: [{ name: locked, match: { syscall: policy.update }, action: deny, reason: "Ask Ada" }]\n';
  expect((await run([locked], ['y'])).changed).toBe('next-start');
  const outcome = await run([SHELL], ['y']);
  expect(outcome).toMatchObject({ exitCode: 8, changed: null });
  expect(outcome.said).toContain('Ask Ada');
  expect(readFileSync(policyFile(), 'utf8')).toBe(locked);
});

test('without an editor nothing happens', async () => {
  expect(await run([null], [])).toMatchObject({ exitCode: 2, changed: null });
});

test('a policy that is a link is not followed', async () => {
  writeFileSync(join(root, 'secret'), 'capabilities: []');
  mkdirSync(join(projectRoot(), '.fluffy'));
  symlinkSync(join(root, 'secret'), policyFile());
  expect(await run([SHELL], ['y'])).toMatchObject({ exitCode: 2, changed: null });
  expect(readFileSync(join(root, 'secret'), 'utf8')).toBe('capabilities: []');
});

test('a directory of links is not followed either', async () => {
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(projectRoot(), '.fluffy'));
  expect((await run([SHELL], ['y'])).changed).toBeNull();
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});

test('signatures that somebody else could have made are not believed', async () => {
  mkdirSync(join(trustDirectory(), 'policies'), { recursive: true, mode: 0o777 });
  const { chmodSync } = await import('node:fs');
  chmodSync(join(trustDirectory(), 'policies'), 0o777);
  await expect(readTrustedHashes(trustDirectory())).rejects.toMatchObject({ code: 'trust_unsafe' });
  await expect(trustPolicy(trustDirectory(), 'a'.repeat(64), 'x')).rejects.toMatchObject({ code: 'trust_unsafe' });
});

test('nothing that a kernel says reaches the terminal as more than text', async () => {
  const HOSTILE = '\u001b]52;c;x\u0007';
  const update = {
    warnings: [],
    replayed: 1,
    breaking: 1,
    changes: [HOSTILE],
    phrase: HOSTILE,
    approve: () => Promise.resolve({ kind: 'conflict' as const, why: HOSTILE }),
    reject: () => Promise.resolve(),
    takeUp: () => Promise.resolve('now' as const),
  };
  const propose = () => Promise.resolve({ kind: 'proposed' as const, update });
  const updater = () => Promise.resolve({ propose, close: () => undefined });
  const { said, questions } = await run([SHELL], [HOSTILE], [], undefined, { updater });
  expect(said).toContain(String.raw`\x1b]52;c;x\x07. Nothing was written`);
  expect(said + questions.join('')).not.toContain('\u001b');
});
