import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectPolicyKernel } from '../../../../src/cli/config/policy/connect-policy-kernel.ts';
import { updaterThroughKernel } from '../../../../src/cli/config/policy/update-through-kernel.ts';
import { policyReview } from '../../../../src/kernel/policy/index.ts';
import { FakeKernel } from '../../kernel-client/fake-kernel.ts';
import type { Script } from '../../kernel-client/fake-kernel.ts';
import { CLOSED, SHELL, editScene, keptText } from './edit-scene.ts';
import type { EditScene } from './edit-scene.ts';

let scene: EditScene;
let kernel: FakeKernel | null = null;
beforeEach(() => {
  scene = editScene();
});
afterEach(async () => {
  await kernel?.remove();
  kernel = null;
  scene.remove();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hashed = (text: string) => ({ text, sha256: sha256(text) });

function proposal() {
  const plan = { changes: [], breaking: 0, opened: 0, phrase: null, lines: [] };
  const inForce = { before: 'a', after: 'b' };
  const [before, after] = [hashed(CLOSED), hashed(SHELL)];
  const review = policyReview({ file: '.fluffy/policy.yaml', before, after, inForce, plan, replayed: 0 });
  const shown = { replayed: 0, breaking: 0, changes: [], phrase: null };
  return { kind: 'proposed', warnings: [], review: { ...review, review_id: 'r_1' }, ...shown };
}

const never = () => new Promise<never>(() => undefined);

/** Edits the project's policy through a kernel that goes by `script` once it has proposed; `ask` answers the question. */
async function edit(script: Script, ask: (signal: AbortSignal | undefined) => Promise<string | null>) {
  scene.clone(CLOSED);
  kernel = await FakeKernel.start((asked, self) =>
    asked.method === 'policy.update' ? proposal() : script(asked, self),
  );
  const { socket } = kernel;
  const sign = (digest: string) => Promise.resolve({ sha256: digest, signature: 's', public_key: 'k' });
  const person = {
    edit: (file: string) => {
      writeFileSync(file, SHELL);
      return Promise.resolve({ kind: 'closed' as const });
    },
    ask: (_question: string, signal?: AbortSignal) => ask(signal),
  };
  const updater = async () => updaterThroughKernel(await connectPolicyKernel(socket), sign);
  const outcome = await scene.run([], [], { instead: { person, updater } });
  return outcome;
}

function unchanged(said: string): void {
  expect(said).toContain('nothing was changed');
  expect(keptText(said)).toBe(SHELL);
  expect(readFileSync(scene.policyFile, 'utf8')).toBe(CLOSED);
}

it('a kernel that goes away while its question stands is noticed before anybody answers', async () => {
  const outcome = await edit(never, async (signal) => {
    await kernel?.die();
    // The question stays open until it is taken back.
    await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    return null;
  });
  expect(outcome).toMatchObject({ exitCode: 7, changed: null, report: { outcome: 'failed' } });
  expect(outcome.said).toContain('The kernel ended before you decided');
  unchanged(outcome.said);
});

it.each([
  ['has gone away', () => kernel?.die()],
  ['says nothing any more', () => undefined],
])('a no ends at once although the kernel %s', async (_name, before) => {
  const outcome = await edit(never, async () => {
    await before();
    return 'n';
  });
  expect([4, 7]).toContain(outcome.exitCode);
  unchanged(outcome.said);
});

it('the kernel records a no', async () => {
  const outcome = await edit(
    () => ({ kind: 'rejected' }),
    () => Promise.resolve('n'),
  );
  expect(outcome.exitCode).toBe(4);
  expect(kernel?.methods()).toEqual(['policy.update', 'policy.decide']);
});

it('a kernel that dies over the approval has changed nothing, and is not waited for', async () => {
  const edited = edit(
    (_asked, self) => self.die().then(never),
    () => Promise.resolve('y'),
  );
  await expect(edited).rejects.toMatchObject({ code: 'kernel_lost', exitCode: 7 });
  expect(readFileSync(scene.policyFile, 'utf8')).toBe(CLOSED);
  expect(await scene.trusted()).toEqual(new Set());
});

it('one that dies when the text is in place is not told as one that never ran', async () => {
  const outcome = await edit(
    ({ method }, self) => (method === 'policy.decide' ? { kind: 'approved' } : self.die().then(never)),
    () => Promise.resolve('y'),
  );
  expect(outcome).toMatchObject({ exitCode: 0, changed: 'kernel-lost', report: { takes_effect: 'next_start' } });
  expect(outcome.said).toContain('The kernel ended before it loaded the policy');
  expect(outcome.said).not.toContain('No kernel runs');
});
