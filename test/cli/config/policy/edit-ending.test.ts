import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderReport } from '../../../../src/cli/config/policy/edit/edit-report.ts';
import type { EditReport } from '../../../../src/cli/config/policy/edit/edit-report.ts';
import type { Edited, EndedBy } from '../../../../src/cli/config/policy/edit/editor-session.ts';
import { CLOSED, SHELL, audited, editScene, keptText } from './edit-scene.ts';
import type { EditScene } from './edit-scene.ts';

let scene: EditScene;
beforeEach(() => {
  scene = editScene();
});
afterEach(() => scene.remove());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const drafts = () => readdirSync(scene.root).filter((name) => name.startsWith('fluffy-policy-'));

/** An editor that writes `draft` and ends as it is told. */
const editor = (draft: string | null, edited: Edited) => (file: string) => {
  if (draft !== null) writeFileSync(file, draft);
  return Promise.resolve(edited);
};

const NEVER: EditReport = {
  outcome: 'unchanged',
  file: '.fluffy/policy.yaml',
  sha256: null,
  signed: false,
  takes_effect: null,
  breaking: 0,
  changes: [],
  taken_back: null,
  draft: null,
  errors: [],
  warnings: [],
};

test('a template that nobody has changed is nothing to sign', async () => {
  const outcome = await scene.run([], ['y']);
  expect(outcome).toMatchObject({ exitCode: 0, changed: null, said: 'Nothing has changed.\n', questions: [] });
  expect(outcome.report).toEqual(NEVER);
  expect(await scene.trusted()).toEqual(new Set());
  expect(drafts()).toEqual([]);
});

test('a signed policy that nobody has changed is not asked about', async () => {
  await scene.run([SHELL], ['y']);
  const outcome = await scene.run([], ['y']);
  expect(outcome).toMatchObject({ exitCode: 0, said: 'Nothing has changed.\n', questions: [] });
  expect(outcome.report).toEqual({ ...NEVER, sha256: sha256(SHELL), signed: true });
});

test('nor is one that was signed since the kernel looked, or that denies its own change', async () => {
  const locked = 'capabilities: [{ name: locked, match: { syscall: policy.update }, action: deny }]\n';
  await scene.run([locked], ['y']);
  expect(await scene.run([], [])).toMatchObject({ exitCode: 0, said: 'Nothing has changed.\n', questions: [] });

  const update = {
    warnings: [],
    replayed: 0,
    breaking: 0,
    changes: [],
    phrase: null,
    approve: () => Promise.resolve({ kind: 'approved' as const }),
    reject: () => Promise.resolve(),
    takeUp: () => Promise.resolve('now' as const),
    gone: new Promise(() => undefined),
  };
  const propose = () => Promise.resolve({ kind: 'proposed' as const, update });
  const updater = () => Promise.resolve({ propose, close: () => undefined });
  const outcome = await scene.run([], ['y'], { instead: { updater } });
  expect(outcome).toMatchObject({ exitCode: 0, changed: null, said: 'Nothing has changed.\n', questions: [] });
});

test('whoever signs what a clone brought is told that it is that', async () => {
  scene.clone(SHELL);
  const outcome = await scene.run([], ['n']);
  expect(outcome.said).toContain(
    'You have changed nothing. This is the text of .fluffy/policy.yaml as it comes from the repository, and you have not signed it',
  );
  expect(outcome).toMatchObject({ exitCode: 4, report: { outcome: 'not_confirmed', signed: false, draft: null } });
  expect(outcome.questions).toHaveLength(1);
  const changed = await scene.run([CLOSED], ['n']);
  expect(changed.said).not.toContain('as it comes from the repository');
});

test.each<[string, EndedBy | 'end-of-input', number, string]>([
  ['Ctrl-D', 'end-of-input', 4, 'No answer came: nothing was changed'],
  ['Ctrl-C', 'SIGINT', 130, 'Interrupted: nothing was changed'],
])('%s at the question changes nothing and names the draft', async (_key, by, exitCode, words) => {
  const outcome = await scene.run([SHELL], [{ kind: 'ended', by }]);
  expect(outcome).toMatchObject({ exitCode, changed: null });
  expect(outcome.said).toContain(words);
  expect(outcome.said).not.toContain('no terminal');
  expect(keptText(outcome.said)).toBe(SHELL);
});

test('Ctrl-C where an invalid text could be edited again ends the same', async () => {
  const outcome = await scene.run(['capabilities: 1\n'], [{ kind: 'ended', by: 'SIGINT' }]);
  expect(outcome).toMatchObject({ exitCode: 130, report: { outcome: 'interrupted', errors: [{ line: 1 }] } });
  expect(keptText(outcome.said)).toBe('capabilities: 1\n');
});

test.each<[EndedBy, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('an editor that %s ends leaves its draft', async (by, exitCode) => {
  const person = { edit: editor(SHELL, { kind: 'ended', by }), ask: () => Promise.resolve('y') };
  const outcome = await scene.run([], [], { instead: { person } });
  expect(outcome).toMatchObject({ exitCode, changed: null, report: { outcome: 'interrupted' } });
  expect(keptText(outcome.said)).toBe(SHELL);
});

test.each<[string, boolean]>([
  ['while the question stands', true],
  ['while nobody answers for the kernel', false],
])('an end that is asked for %s names the draft', async (_name, asking) => {
  const { promise: ended, resolve: end } = Promise.withResolvers<EndedBy>();
  const person = {
    edit: editor(SHELL, { kind: 'closed' }),
    ask: (_question: string, signal?: AbortSignal) => {
      end('SIGTERM');
      return new Promise<null>((resolve) => signal?.addEventListener('abort', () => resolve(null)));
    },
    ended,
  };
  const stuck = () => {
    end('SIGTERM');
    return new Promise<never>(() => undefined);
  };
  const instead = asking ? { person } : { person, updater: stuck };
  const outcome = await scene.run([], [], { instead });
  expect(outcome).toMatchObject({ exitCode: 143, report: { outcome: 'interrupted' } });
  expect(keptText(outcome.said)).toBe(SHELL);
});

test('an end that is asked for where an invalid text could be edited again is no answer to that', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<EndedBy>();
  const ask = (_question: string, signal?: AbortSignal) => {
    end('SIGTERM');
    return new Promise<null>((resolve) => signal?.addEventListener('abort', () => resolve(null)));
  };
  const person = { edit: editor('capabilities: 1\n', { kind: 'closed' }), ask, ended };
  const outcome = await scene.run([], [], { instead: { person } });
  expect(outcome).toMatchObject({ exitCode: 143, report: { outcome: 'interrupted', errors: [{ line: 1 }] } });
  expect(keptText(outcome.said)).toBe('capabilities: 1\n');
});

test('what a killed editor had not saved is kept as well', async () => {
  const person = {
    edit: (file: string) => {
      writeFileSync(join(dirname(file), '.policy.yaml.swp'), SHELL);
      return Promise.resolve({ kind: 'ended' as const, by: 'SIGTERM' as const });
    },
    ask: () => Promise.resolve(null),
  };
  const { said, report } = await scene.run([], [], { instead: { person } });
  expect(said).toContain(`What you wrote is kept in ${report?.draft ?? ''}\n`);
  expect(readdirSync(report?.draft ?? '')).toContain('.policy.yaml.swp');
});

test('of an editor that SIGTERM ended what it was given is kept as well: it may stand behind a shell, and save later', async () => {
  const kept = async (by: EndedBy) => {
    const person = { edit: () => Promise.resolve({ kind: 'ended' as const, by }), ask: () => Promise.resolve(null) };
    return (await scene.run([], [], { instead: { person } })).report?.draft ?? null;
  };
  expect(existsSync((await kept('SIGTERM')) ?? '')).toBe(true);
  expect(await kept('SIGINT')).toBeNull();
});

test('a change that is in force is reported with its results', async () => {
  const outcome = await scene.run([CLOSED], ['y'], { entries: audited(2) });
  expect(outcome.report).toEqual({
    ...NEVER,
    outcome: 'in_force',
    sha256: sha256(CLOSED),
    signed: true,
    takes_effect: 'next_start',
    breaking: 2,
    changes: [
      expect.stringMatching(/^\[BREAKING\] fs\.read src\/f0\.ts .*allow -> deny/),
      expect.stringMatching(/^\[BREAKING\] fs\.read src\/f1\.ts .*allow -> deny/),
    ],
    warnings: expect.any(Array) as unknown,
  });
});

test('one that is not confirmed is reported with what it would have changed', async () => {
  const outcome = await scene.run([CLOSED], ['n'], { entries: audited(2) });
  expect(outcome.report).toMatchObject({ outcome: 'not_confirmed', breaking: 2, signed: false, sha256: null });
  expect(outcome.report?.draft).toMatch(/policy\.yaml$/);
});

test('an invalid text is reported with the places that check names', async () => {
  const outcome = await scene.run(['capabilities: 1\n'], ['n']);
  expect(outcome).toMatchObject({ exitCode: 2 });
  expect(outcome.report).toMatchObject({
    outcome: 'invalid',
    errors: [{ file: '.fluffy/policy.yaml', line: 1, column: 15, severity: 'error' }],
    sha256: null,
  });
});

test('a policy that cannot be read is reported', async () => {
  mkdirSync(scene.policyFile, { recursive: true });
  const outcome = await scene.run([SHELL], ['y']);
  expect(outcome).toMatchObject({ exitCode: 2, opened: [], report: { outcome: 'failed', errors: [{ line: 1 }] } });
});

test('a failure that nobody foresaw is reported before it is thrown', async () => {
  const reports: EditReport[] = [];
  const report = (told: EditReport) => Promise.resolve(void reports.push(told));
  const updater = () => Promise.reject(new Error('lost'));
  await expect(scene.run([SHELL], ['y'], { instead: { updater, report } })).rejects.toThrow('lost');
  expect(reports).toMatchObject([{ outcome: 'failed', draft: expect.stringContaining('policy.yaml') as unknown }]);
});

test('a report is one line that a terminal shows as it is', () => {
  const line = renderReport({ ...NEVER, changes: ['\u202e\u001b]52;c;x\u0007'] });
  expect(line).toMatch(/^\{"outcome":"unchanged","file":.*\}\n$/);
  expect(line).not.toMatch(/[\u202e\u001b\u0007]/);
  expect(JSON.parse(line)).toMatchObject({ changes: ['\u202e\u001b]52;c;x\u0007'] });
});
