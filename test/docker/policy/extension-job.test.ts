import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { trustPolicy } from '../../../src/cli/config/policy/trust-store.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { NEW_TEST, PLAN } from '../../support/job/parse-config-turns.ts';
import { calls } from '../../support/wire/script.ts';
import type { ScriptedTurn } from '../../support/wire/script.ts';

const scenes: JobScene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

const write = (path: string): ScriptedTurn => calls({ tool: 'fs.write', input: { path, content: NEW_TEST } });
const read = (path: string): ScriptedTurn => calls({ tool: 'fs.read', input: { path } });
const GIVE_UP = calls({ tool: 'task.give_up', input: { reason: 'that was all' } });

const JUDGE = `export default ({ syscall, path = '' }) => {
  if (path.includes('forever')) for (;;);
  if (syscall === 'fs.read' && path.startsWith('src/')) return { decision: 'deny', reason: 'Nobody reads this' };
  if (syscall === 'fs.write' && !path.includes('config')) return { decision: 'deny', reason: 'Name it after the configuration' };
  return { decision: 'pass' };
};
`;
/** A project whose policy names the extension for what is written and read below src and test. */
async function sceneWith(turns: readonly ScriptedTurn[], signed: boolean): Promise<JobScene> {
  const scene = await jobScene(turns);
  scenes.push(scene);
  const { root } = scene.project;
  const { uid, gid } = lstatSync(root);
  const text = `version: 1
extensions:
  - name: judge
    entry: judge.ts
    sha256: ${createHash('sha256').update(JUDGE).digest('hex')}
    match: { syscall: [fs.write, fs.read], path_glob: [src/, test/] }
`;
  mkdirSync(join(root, '.fluffy'), { recursive: true });
  for (const [name, content] of [
    ['policy.yaml', text],
    ['judge.ts', JUDGE],
  ] as const) {
    writeFileSync(join(root, '.fluffy', name), content);
    chownSync(join(root, '.fluffy', name), uid, gid);
  }
  chownSync(join(root, '.fluffy'), uid, gid);
  const hash = createHash('sha256').update(text).digest('hex');
  if (signed) await trustPolicy(userDirs(scene.home.env).trust, hash, root);
  return scene;
}

interface Told {
  readonly target: string;
  readonly decision: string;
  readonly rules: string;
  readonly reason: string;
}

async function decisionsOf(scene: JobScene): Promise<Told[]> {
  const { events } = await scene.run(['-p', 'Add error handling to parseConfig']);
  return events.flatMap((event) =>
    event.type === 'policy.decision' && event.syscall.startsWith('fs.') && event.decision !== 'allowed_by_token'
      ? [
          {
            target: event.target ?? '',
            decision: event.decision,
            rules: event.rules.join(),
            reason: event.reason,
          },
        ]
      : [],
  );
}

it('a signed policy’s extension decides on the calls of a session, and a hang of it denies without holding the kernel up', async () => {
  const scene = await sceneWith(
    [
      PLAN,
      write('test/other.test.js'),
      write('test/bad-config.test.js'),
      read('src/parse-config.js'),
      write('test/forever.test.js'),
      write('test/config-again.test.js'),
      GIVE_UP,
    ],
    true,
  );
  const [other, config, source, forever, after] = await decisionsOf(scene);
  expect(other).toMatchObject({
    decision: 'denied',
    rules: expect.stringContaining('judge') as string,
    reason: 'Name it after the configuration',
  });
  expect(config).toMatchObject({ target: 'test/bad-config.test.js', decision: 'allowed' });
  expect(source).toMatchObject({ decision: 'denied', reason: 'Nobody reads this' });
  expect(forever).toMatchObject({
    decision: 'denied',
    reason: expect.stringContaining('"judge" gave no answer') as string,
  });
  expect(after).toMatchObject({ decision: 'denied', reason: expect.stringContaining('being restarted') as string });
});

it('a search shows nothing of what an extension denies reading, and the rest', async () => {
  const grep = calls({ tool: 'search.grep', input: { pattern: 'parseConfig' } });
  const scene = await sceneWith([PLAN, grep, GIVE_UP], true);
  const { events } = await scene.run(['-p', 'Look for parseConfig']);
  const found = events.find((event) => event.type === 'tool.finished' && event.tool === 'search.grep');
  expect(found).toMatchObject({ ok: true });
  const told = scene.model.requests.flatMap(({ results }) => results.map(({ content }) => content)).join('\n');
  expect(told).toContain('deepEqual(parseConfig');
  expect(told).not.toContain('function parseConfig');
});

it('an unsigned policy’s extension is not loaded', async () => {
  const scene = await sceneWith([PLAN, write('test/other.test.js'), GIVE_UP], false);
  expect(await decisionsOf(scene)).toMatchObject([{ decision: 'allowed' }]);
});
