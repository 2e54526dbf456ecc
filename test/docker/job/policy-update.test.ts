import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { edit } from '../../../src/cli/config/policy/edit/edit.ts';
import { policyUpdater } from '../../../src/cli/commands/config-policy/policy-updater.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import type { AuditEntry } from '../../../src/contracts/audit-entry.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { PLAN, RUN_TESTS, WRITE_SOURCE } from '../../support/job/parse-config-turns.ts';
import { calls } from '../../support/wire/script.ts';

const scenes: JobScene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

/** Fails as it should, and takes long enough for a policy to change meanwhile. */
const SLOW_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from '../src/parse-config.js';

test('says what is wrong', async () => {
  await new Promise((resolve) => setTimeout(resolve, 15000));
  assert.throws(() => parseConfig('{'), /not valid JSON/);
});
`;
const WRITE_SLOW_TEST = calls({ tool: 'fs.write', input: { path: 'test/bad-config.test.js', content: SLOW_TEST } });
const GIVE_UP = calls({ tool: 'task.give_up', input: { reason: 'the source is frozen' } });
const FROZEN = `version: 1
capabilities:
  - name: frozen
    match: { syscall: [fs.write, fs.edit], path_glob: [src/] }
    action: deny
    reason: "The source is frozen today"
`;

/** Edits the policy of the scene's project as its owner would, at a terminal that says yes. */
async function editPolicy({ project, home }: JobScene, text: string, answers: readonly string[] = ['y']) {
  const left = [...answers];
  const user = userDirs(home.env);
  const dirs = projectDirs(user, project.root, projectIdOf(project.root));
  let said = '';
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString();
      done();
    },
  });
  const person = {
    edit: (file: string) => {
      writeFileSync(file, text);
      return Promise.resolve({ kind: 'closed' as const });
    },
    ask: (question: string) => {
      const answer = left.shift() ?? null;
      return Promise.resolve(answer === 'y' ? (/type: (.*)\n/.exec(question)?.[1] ?? answer) : answer);
    },
  };
  const updater = () => policyUpdater(dirs, user);
  const outcome = await edit({ projectRoot: project.root, trustDirectory: user.trust, person, updater, stderr });
  return { ...outcome, said };
}

it('a session under way is decided by the new policy without a restart, and the call under way is not lost', async () => {
  const scene = await jobScene([PLAN, WRITE_SLOW_TEST, RUN_TESTS, WRITE_SOURCE, GIVE_UP]);
  scenes.push(scene);
  const run = scene.start(['-p', 'Add error handling to parseConfig']);
  const started = await run.until((event) => event.type === 'tool.started' && event.tool === 'test.run');
  const before = await run.until((event) => event.type === 'session.started');

  const edited = await editPolicy(scene, FROZEN);
  expect(edited).toMatchObject({ exitCode: 0, changed: 'now' });
  expect(edited.said).toContain('.fluffy/policy.yaml is in place and signed. The running kernel decides by it');
  const callId = started.type === 'tool.started' ? started.call_id : '';
  const underWay = !run.events.some((event) => event.type === 'tool.finished' && event.call_id === callId);
  expect(underWay).toBe(true);

  const { code, stderr } = await run.exit;
  expect(stderr).not.toContain('the kernel ended');
  expect(code).toBe(8);
  const finished = run.events.filter((event) => event.type === 'tool.finished');
  expect(finished.map(({ tool, ok, error }) => [tool, ok, error?.code])).toEqual([
    ['plan.complete', true, undefined],
    ['fs.write', true, undefined],
    ['test.run', true, undefined],
    ['fs.write', false, 'policy_denied'],
    ['task.give_up', true, undefined],
  ]);
  const denied = run.events.find((event) => event.type === 'policy.decision' && event.decision === 'denied');
  expect(denied).toMatchObject({
    rules: expect.arrayContaining(['frozen']) as unknown,
    reason: 'The source is frozen today',
  });
  expect(run.events.find((event) => event.type === 'notice' && event.code === 'policy_changed')).toBeDefined();

  const log = await scene.home.run(['audit', 'log', '--json'], { cwd: scene.project.root });
  const entries = log.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry);
  expect(entries.filter(({ event_type }) => event_type === 'kernel_start')).toHaveLength(1);
  const updates = entries.filter(({ syscall_type }) => syscall_type === 'policy.update');
  expect(
    updates.map(({ event_type, caller, policy_decision, output_summary }) => [
      event_type,
      caller,
      policy_decision,
      output_summary,
    ]),
  ).toEqual([
    ['review_requested', 'user', 'review_required', undefined],
    ['policy_update', 'user', 'allowed', 'approved'],
    ['policy_update', 'user', 'allowed', 'in force'],
  ]);
  expect(updates.at(-1)?.metadata).toMatchObject({
    by: 'human',
    old_policy: before.type === 'session.started' ? before.policy_hash : '',
    public_key: expect.any(String) as unknown,
  });
  const verified = await scene.home.run(['audit', 'verify'], { cwd: scene.project.root });
  expect(verified.code).toBe(0);
  expect(readFileSync(join(scene.project.root, '.fluffy/policy.yaml'), 'utf8')).toBe(FROZEN);

  // The next session attaches to the same kernel, and begins under the same policy.
  const next = await scene.run(['-p', 'Anything else?', '--max-turns', '1']);
  expect(next.stderr).not.toContain('restarting the kernel');
  const again = next.events.find((event) => event.type === 'session.started');
  expect(again).toMatchObject({ policy_hash: updates.at(-1)?.metadata?.['new_policy'] });
}, 200_000);

it('a policy that comes to its file in another way counts from the next message on; one that cannot be used stops it', async () => {
  const scene = await jobScene([PLAN, calls({ tool: 'fs.read', input: { path: 'package.json' } }), GIVE_UP]);
  scenes.push(scene);
  await scene.run(['-p', 'First', '--max-turns', '1']);
  await editPolicy(scene, FROZEN);
  // As git would on another branch: no signature, so it can only narrow.
  writeFileSync(
    join(scene.project.root, '.fluffy/policy.yaml'),
    'capabilities: [{ name: no-reads, match: { syscall: fs.read }, action: deny, reason: "Nothing is read" }]\n',
  );
  const run = await scene.run(['-p', 'Second', '--max-turns', '2']);
  const denied = run.events.find((event) => event.type === 'policy.decision' && event.decision === 'denied');
  expect(denied).toMatchObject({ syscall: 'fs.read', reason: 'Nothing is read' });

  writeFileSync(join(scene.project.root, '.fluffy/policy.yaml'), 'capabilities: 1\n');
  const stopped = await scene.run(['-p', 'Third', '--max-turns', '1']);
  expect(stopped.code).toBe(2);
  expect(stopped.stderr).toContain('.fluffy/policy.yaml:1:15');
}, 200_000);
