import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trustPolicy } from '../../../../src/cli/config/policy/trust-store.ts';
import { CLOSED, SHELL, editScene } from './edit-scene.ts';
import type { EditScene } from './edit-scene.ts';

let scene: EditScene;
beforeEach(() => {
  scene = editScene();
});
afterEach(() => scene.remove());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const SIGNATURE_GONE = 'The signature of the text that it replaces is taken back.';

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

test('a text that was signed in another project is told with that project', async () => {
  scene.clone(SHELL);
  await trustPolicy(scene.trustDirectory, sha256(SHELL), '/elsewhere/.fluffy/policy.yaml');
  const outcome = await scene.run([CLOSED], ['y']);
  expect(outcome.said).toContain('is taken back, for /elsewhere/.fluffy/policy.yaml as well.');
});
