import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHashes, trustPolicy } from '../../../../src/cli/config/policy/trust-store.ts';
import { CLOSED, Heard, SHELL, audited, editScene, keptText } from './edit-scene.ts';
import type { EditScene } from './edit-scene.ts';

let scene: EditScene;
beforeEach(() => {
  scene = editScene();
});
afterEach(() => scene.remove());

test('what is written, confirmed and signed is in force', async () => {
  const outcome = await scene.run([SHELL], ['y']);
  expect(outcome).toMatchObject({ exitCode: 0, changed: 'next-start' });
  expect(readFileSync(scene.policyFile, 'utf8')).toBe(SHELL);
  expect(await scene.inForce()).toMatchObject({ signed: true, names: expect.arrayContaining(['shell']) as unknown });
  expect([...(await signedHashes(scene.trustDirectory, scene.projectRoot))]).toEqual([
    createHash('sha256').update(SHELL).digest('hex'),
  ]);
  expect(readdirSync(join(scene.projectRoot, '.fluffy'))).toEqual(['policy.yaml']);
});

test('an unsigned policy that came with the project can be signed as it is', async () => {
  scene.clone(SHELL);
  expect((await scene.inForce()).names).not.toContain('shell');
  const outcome = await scene.run([], ['yes']);
  expect(outcome.opened).toEqual([SHELL]);
  expect(outcome.changed).toBe('next-start');
  expect((await scene.inForce()).names).toContain('shell');
  expect(await scene.run([], [])).toMatchObject({ exitCode: 0, changed: null, said: 'Nothing has changed.\n' });
});

test.each([['no'], [''], [null], ['yes please']])(
  'an answer of %j changes nothing, and keeps what was written',
  async (answer) => {
    const outcome = await scene.run([SHELL], [answer]);
    expect(outcome).toMatchObject({ exitCode: 4, changed: null });
    expect(existsSync(scene.policyFile)).toBe(false);
    expect(await signedHashes(scene.trustDirectory, scene.projectRoot)).toEqual(new Set());
    expect(keptText(outcome.said)).toBe(SHELL);
  },
);

test('an invalid text is shown with its places and can be edited again', async () => {
  const outcome = await scene.run(['capabilities: 1\n', SHELL], ['y', 'y']);
  expect(outcome.said).toContain('.fluffy/policy.yaml:1:15: error: ');
  expect(outcome.changed).toBe('next-start');
});

test('an extension that is not there, or is none, is an error of the text', async () => {
  mkdirSync(join(scene.projectRoot, '.fluffy'));
  const extension = (source: string) => {
    writeFileSync(join(scene.projectRoot, '.fluffy/rule.ts'), source);
    const digest = createHash('sha256').update(source).digest('hex');
    return `extensions: [{ name: rule, entry: rule.ts, sha256: ${digest} }]\n`;
  };
  const changed = extension('export default () => ({ decision: "pass" });\n');
  writeFileSync(join(scene.projectRoot, '.fluffy/rule.ts'), 'changed\n');
  expect(await scene.run([changed], ['n'])).toMatchObject({ exitCode: 2, changed: null });
  const none = await scene.run([extension('export const a = 1;\n')], ['n']);
  expect(none.said).toContain('it has no default export');
  expect(existsSync(scene.policyFile)).toBe(false);
  expect((await scene.run([extension('export default () => ({ decision: "pass" });\n')], ['y'])).changed).toBe(
    'next-start',
  );
});

test('an invalid text never gets into the project', async () => {
  const outcome = await scene.run(['capabilities: 1\n'], ['n']);
  expect(outcome).toMatchObject({ exitCode: 2, changed: null });
  expect(existsSync(scene.policyFile)).toBe(false);
});

test('changed results are shown, breaking ones marked', async () => {
  const outcome = await scene.run([CLOSED], ['y'], { entries: audited(3) });
  expect(outcome.said).toContain('and a fixed set of others (3 breaking)');
  expect(outcome.said).toContain('[BREAKING] fs.read src/f0.ts (planning, strict): allow -> deny');
  expect(outcome.questions).toHaveLength(1);
});

test('more than five breaking results take a phrase, word for word', async () => {
  expect(await scene.run([CLOSED], ['Y'], { entries: audited(6) })).toMatchObject({ exitCode: 4, changed: null });
  const outcome = await scene.run([CLOSED], ['accept 6 breaking changes'], { entries: audited(6) });
  expect(outcome.changed).toBe('next-start');
});

test('what opens something that was denied takes a phrase, and is shown with the text', async () => {
  const refused = await scene.run([SHELL], ['Y']);
  expect(refused).toMatchObject({ exitCode: 4, changed: null });
  expect(refused.said).toContain('+++ b/.fluffy/policy.yaml');
  expect(refused.said).toContain('[WIDER] shell.run (code_writing, strict): deny -> allow');
  expect(refused.questions[0]).toMatch(/type: allow \d+ denied requests\n/);
});

test('a shipped value that a signed text drops is named; one that it adds to is kept', async () => {
  const more = await scene.run(['review: { max_diff_lines: 900, sensitive_globs: [mine.cfg] }\n'], ['n']);
  expect(more.said).toContain('review.max_diff_lines: 500 -> 900');
  expect(more.said).not.toContain('review.sensitive_globs loses');
  const fewer = await scene.run(['review: { sensitive_globs: [[], mine.cfg] }\n'], ['n']);
  expect(fewer.said).toMatch(/review\.sensitive_globs loses .*"package\.json"/);
});

test('no more than a hundred requests are replayed', async () => {
  const outcome = await scene.run([CLOSED], ['accept 100 breaking changes'], { entries: audited(150) });
  expect(outcome.changed).toBe('next-start');
});

test('a policy that somebody else has written meanwhile stays', async () => {
  const outcome = await scene.run([SHELL], ['y'], { during: () => scene.clone(CLOSED) });
  expect(outcome).toMatchObject({ exitCode: 1, changed: null });
  expect(readFileSync(scene.policyFile, 'utf8')).toBe(CLOSED);
});

test('a policy that somebody writes while it is being confirmed stays, and the signature is taken back', async () => {
  const person = {
    edit: (file: string) => {
      writeFileSync(file, SHELL);
      return Promise.resolve({ kind: 'closed' as const });
    },
    ask: (question: string) => {
      scene.clone(CLOSED);
      return Promise.resolve(/type: (.*)\n/.exec(question)?.[1] ?? 'y');
    },
  };
  const outcome = await scene.run([], [], { instead: { person } });
  expect(outcome).toMatchObject({ exitCode: 1, changed: null });
  expect(outcome.said).toContain('was changed meanwhile. Nothing was written.');
  expect(readFileSync(scene.policyFile, 'utf8')).toBe(CLOSED);
  expect(await signedHashes(scene.trustDirectory, scene.projectRoot)).toEqual(new Set());
});

test('an editor that fails changes nothing, and what was written is kept', async () => {
  const person = {
    edit: (file: string) => {
      writeFileSync(file, SHELL);
      return Promise.resolve({ kind: 'failed' as const, why: 'the editor ended with exit 1' });
    },
    ask: () => Promise.resolve('y'),
  };
  const outcome = await scene.run([], [], { instead: { person } });
  expect(outcome).toMatchObject({ exitCode: 2, changed: null });
  expect(outcome.said).toContain('The policy was not changed: the editor ended with exit 1.');
  expect(keptText(outcome.said)).toBe(SHELL);
});

test('whatever goes wrong afterwards, what was written is kept', async () => {
  const stderr = new Heard();
  const updater = () => Promise.reject(new Error('the kernel is gone'));
  await expect(scene.run([SHELL], ['y'], { instead: { updater, stderr } })).rejects.toThrow('the kernel is gone');
  expect(keptText(stderr.text)).toBe(SHELL);
  expect(existsSync(scene.policyFile)).toBe(false);
});

test('with nobody at a terminal what would change is shown, and nothing is put in force', async () => {
  const outcome = await scene.run([CLOSED], [null], { entries: audited(3) });
  expect(outcome).toMatchObject({ exitCode: 4, changed: null });
  expect(outcome.said).toContain('[BREAKING] fs.read src/f0.ts');
  expect(outcome.said).toContain('Only a human can confirm it, and there is no terminal to ask on');
  expect(keptText(outcome.said)).toBe(CLOSED);
});

test('a policy that denies its own change cannot be changed here', async () => {
  const locked =
    'capabilities: [{ name: locked, match: { syscall: policy.update }, action: deny, reason: "Ask Ada" }]\n';
  expect((await scene.run([locked], ['y'])).changed).toBe('next-start');
  const outcome = await scene.run([SHELL], ['y']);
  expect(outcome).toMatchObject({ exitCode: 8, changed: null });
  expect(outcome.said).toContain('Ask Ada');
  expect(readFileSync(scene.policyFile, 'utf8')).toBe(locked);
});

test('without an editor nothing happens', async () => {
  expect(await scene.run([null], [])).toMatchObject({ exitCode: 2, changed: null });
});

test('a policy that is a link is not followed', async () => {
  writeFileSync(join(scene.root, 'secret'), 'capabilities: []');
  mkdirSync(join(scene.projectRoot, '.fluffy'));
  symlinkSync(join(scene.root, 'secret'), scene.policyFile);
  expect(await scene.run([SHELL], ['y'])).toMatchObject({ exitCode: 2, changed: null });
  expect(readFileSync(join(scene.root, 'secret'), 'utf8')).toBe('capabilities: []');
});

test('a directory of links is not followed either', async () => {
  mkdirSync(join(scene.root, 'elsewhere'));
  symlinkSync(join(scene.root, 'elsewhere'), join(scene.projectRoot, '.fluffy'));
  expect((await scene.run([SHELL], ['y'])).changed).toBeNull();
  expect(readdirSync(join(scene.root, 'elsewhere'))).toEqual([]);
});

test('signatures that somebody else could have made are not believed', async () => {
  mkdirSync(join(scene.trustDirectory, 'policies'), { recursive: true, mode: 0o777 });
  chmodSync(join(scene.trustDirectory, 'policies'), 0o777);
  await expect(signedHashes(scene.trustDirectory, scene.projectRoot)).rejects.toMatchObject({ code: 'trust_unsafe' });
  await expect(trustPolicy(scene.trustDirectory, 'a'.repeat(64), 'x')).rejects.toMatchObject({ code: 'trust_unsafe' });
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
    gone: new Promise(() => undefined),
  };
  const propose = () => Promise.resolve({ kind: 'proposed' as const, update });
  const updater = () => Promise.resolve({ propose, close: () => undefined });
  const { said, questions } = await scene.run([SHELL], [HOSTILE], { instead: { updater } });
  expect(said).toContain(String.raw`\x1b]52;c;x\x07. Nothing was written`);
  expect(said + questions.join('')).not.toContain('\u001b');
});
