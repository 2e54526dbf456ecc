import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { distrust } from '../../../../src/cli/config/policy/distrust.ts';
import { putInForce } from '../../../../src/cli/config/policy/put-in-force.ts';
import { signedHashes, trustPolicy } from '../../../../src/cli/config/policy/trust-store.ts';
import { CLOSED, Heard, SHELL, editScene } from './edit-scene.ts';
import type { EditScene } from './edit-scene.ts';

let scene: EditScene;
beforeEach(() => {
  scene = editScene();
});
afterEach(() => scene.remove());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const SIGNATURE_GONE = 'The signature of the replaced text was removed.';

async function takeBack({ all = false, json = true, projectRoot = scene.projectRoot } = {}) {
  const { trustDirectory } = scene;
  const [stdout, stderr] = [new Heard(), new Heard()];
  const asked: string[] = [];
  const takeUp = () => {
    asked.push('reload');
    return Promise.resolve('now' as const);
  };
  const code = await distrust({ projectRoot, trustDirectory, all, takeUp, json, stdout, stderr });
  return { code, said: stdout.text, complained: stderr.text, asked };
}

test('a text that was replaced counts no longer in full when it is put back', async () => {
  await scene.run([SHELL], ['y']);
  expect(await scene.inForce()).toMatchObject({ signed: true });
  const replaced = await scene.run([CLOSED], ['y']);
  expect(replaced.said).toContain(`is in place and signed`);
  expect(replaced.said).toContain(SIGNATURE_GONE);
  expect(replaced.report).toMatchObject({ outcome: 'in_force', taken_back: sha256(SHELL), signed: true });
  expect(await scene.trusted()).toEqual(new Set([sha256(CLOSED)]));

  scene.clone(SHELL);
  const back = await scene.inForce();
  expect(back.signed).toBe(false);
  expect(back.names).not.toContain('shell');
});

test('it can be signed again, as a change of its own', async () => {
  await scene.run([SHELL], ['y']);
  await scene.run([CLOSED], ['y']);
  const again = await scene.run([SHELL], ['y']);
  expect(again.report).toMatchObject({ signed: true, taken_back: sha256(CLOSED) });
  expect((await scene.inForce()).names).toContain('shell');
});

test.each<[string, (string | null)[]]>([
  ['a change that is not confirmed', ['n']],
  ['a question that nobody answers', [null]],
])('%s takes nothing back', async (_name, answers) => {
  await scene.run([SHELL], ['y']);
  const outcome = await scene.run([CLOSED], answers);
  expect(outcome.report).toMatchObject({ taken_back: null, signed: true, sha256: sha256(SHELL) });
  expect((await scene.inForce()).signed).toBe(true);
});

test('a conflict takes nothing back', async () => {
  await scene.run([SHELL], ['y']);
  await scene.run([CLOSED], ['y'], { during: () => scene.clone('capabilities: []\n') });
  expect(await scene.trusted()).toEqual(new Set([sha256(SHELL)]));
});

test('nothing is said of a signature where the text before had none', async () => {
  scene.clone(SHELL);
  const outcome = await scene.run([CLOSED], ['y']);
  expect(outcome.report).toMatchObject({ outcome: 'in_force', taken_back: null });
  expect(outcome.said).not.toContain('taken back');
});

test('a signature is for one project: the same text in another can only narrow, and keeps its own', async () => {
  const { trustDirectory, projectRoot } = scene;
  scene.clone(SHELL);
  await trustPolicy(trustDirectory, sha256(SHELL), '/elsewhere');
  expect(await scene.inForce()).toMatchObject({ signed: false });
  await trustPolicy(trustDirectory, sha256(SHELL), projectRoot);
  expect(await scene.inForce()).toMatchObject({ signed: true });
  await scene.run([CLOSED], ['y']);
  expect(await signedHashes(trustDirectory, '/elsewhere')).toEqual(new Set([sha256(SHELL)]));
});

test('distrust takes back the signature of the policy that is there', async () => {
  await scene.run([SHELL], ['y']);
  const { code, said, asked } = await takeBack();
  expect(code).toBe(0);
  expect(JSON.parse(said)).toEqual({
    file: '.fluffy/policy.yaml',
    sha256: sha256(SHELL),
    signed: false,
    taken_back: [sha256(SHELL)],
    takes_effect: 'now',
  });
  expect(asked).toEqual(['reload']);
  expect(await scene.inForce()).toMatchObject({ signed: false });
});

test('in words it says from when on that counts', async () => {
  await scene.run([SHELL], ['y']);
  expect((await takeBack({ json: false })).said).toBe(
    '1 signature is removed. .fluffy/policy.yaml can only narrow from now on. The running kernel goes by it already.\n',
  );
  const again = await takeBack({ json: false });
  expect(again).toMatchObject({ code: 0, asked: [] });
  expect(again.said).toBe('.fluffy/policy.yaml is not signed: there is no signature to remove.\n');
});

test('distrust --all takes back whatever was signed as the policy of this project, and of no other', async () => {
  const { trustDirectory, projectRoot, root } = scene;
  await scene.run([SHELL], ['y']);
  scene.clone(CLOSED);
  await scene.run([], ['y']);
  const other = join(root, 'other');
  await trustPolicy(trustDirectory, sha256('capabilities: []\n'), other);
  // A path with a line feed in it is not two projects.
  const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];
  await trustPolicy(trustDirectory, first, `/x\n${projectRoot}`);
  // Signed here as well as elsewhere.
  await trustPolicy(trustDirectory, second, projectRoot);
  await trustPolicy(trustDirectory, second, other);
  const { said } = await takeBack({ all: true });
  const { taken_back } = JSON.parse(said) as { taken_back: string[] };
  expect(taken_back.sort()).toEqual([sha256(CLOSED), sha256(SHELL), second].sort());
  expect(await scene.trusted()).toEqual(new Set());
  expect(await signedHashes(trustDirectory, other)).toEqual(new Set([sha256('capabilities: []\n'), second]));
  expect(await signedHashes(trustDirectory, `/x\n${projectRoot}`)).toEqual(new Set([first]));
});

test('a policy that cannot be read is not taken for one without a signature', async () => {
  mkdirSync(join(scene.projectRoot, '.fluffy/policy.yaml'), { recursive: true });
  const { code, said, complained } = await takeBack();
  expect(code).toBe(2);
  expect(JSON.parse(said)).toMatchObject({ valid: false, errors: [{ file: '.fluffy/policy.yaml' }] });
  expect(complained).toContain(".fluffy/policy.yaml:1:1: error: the file can't be read");
  expect((await takeBack({ all: true })).code).toBe(0);
});

test('without a policy there is nothing to take back', async () => {
  const { code, said } = await takeBack({ json: false });
  expect({ code, said }).toEqual({
    code: 0,
    said: 'There is no .fluffy/policy.yaml, and no signature to remove.\n',
  });
});

test('a policy that does not load can be distrusted too', async () => {
  scene.clone('capabilities: 1\n');
  await trustPolicy(scene.trustDirectory, sha256('capabilities: 1\n'), scene.projectRoot);
  writeFileSync(scene.policyFile, 'capabilities: 1\n');
  expect(JSON.parse((await takeBack()).said)).toMatchObject({ taken_back: [sha256('capabilities: 1\n')] });
});

test('a text that could not be put in place is not signed', async () => {
  const { projectRoot, trustDirectory } = scene;
  rmSync(join(projectRoot, '.fluffy'), { recursive: true, force: true });
  writeFileSync(join(projectRoot, '.fluffy'), 'a file is in the way');
  const update = { takeUp: () => Promise.resolve('now' as const) };
  const ended = new Promise<never>(() => undefined);
  const placing = putInForce({ projectRoot, trustDirectory, base: null, text: SHELL, update, ended });
  await expect(placing).rejects.toThrow('EEXIST');
  expect(await scene.trusted()).toEqual(new Set());
});
