import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { connectSupervisor } from '../../../src/cli/supervisor/client/connect-supervisor.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { recordedRuntimeRoot } from '../../../src/cli/supervisor/runtime-directory.ts';
import { statusResult } from '../../../src/cli/supervisor/supervisor-protocol.ts';
import { LABELS } from '../../../src/contracts/sandbox/guard-api.ts';
import { projectDirs, runtimeDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { makeJobProject } from '../../support/job/job-project.ts';

let cleanUp: (() => Promise<void>) | null = null;
afterEach(async () => {
  await cleanUp?.();
  cleanUp = null;
});

/** Containers of the project, of every state (`all`) or running. */
function containersOf(root: string, which: 'all' | 'running'): string[] {
  const label = `label=${LABELS.project}=${projectIdOf(root)}`;
  const all = which === 'all' ? ['--all'] : [];
  const output = execFileSync('docker', ['ps', ...all, '--quiet', '--filter', label], { encoding: 'utf8' });
  return output.split('\n').filter((id) => id !== '');
}

async function supervisorPid(home: FluffyHome, root: string): Promise<number> {
  const { host } = projectDirs(userDirs(home.env), root, projectIdOf(root));
  const { supervisorSocket } = runtimeDirs((await recordedRuntimeRoot(host)) ?? '');
  const peer = await connectSupervisor(supervisorSocket, () => undefined);
  try {
    return (await peer.request('status', {}, { result: statusResult })).pid;
  } finally {
    peer.close();
  }
}

it('a supervisor that is killed takes its kernel and sandboxes with it, and doctor removes what is left', async () => {
  const project = makeJobProject();
  const home = makeFluffyHome();
  cleanUp = async () => {
    await home.remove([project.root]);
    project.remove();
  };
  writeFileSync(join(project.root, '..', 'turns.jsonl'), '{"text":"Hello."}\n');
  const model = `replay/${join(project.root, '..', 'turns.jsonl')}`;
  const result = await home.run(['-p', 'Say hello', '--mode', 'explore', '--model', model], { cwd: project.root });
  expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
  expect(containersOf(project.root, 'running').length).toBeGreaterThan(0);

  process.kill(await supervisorPid(home, project.root), 'SIGKILL');
  await expect.poll(() => containersOf(project.root, 'running'), { timeout: 60_000, interval: 500 }).toEqual([]);
  expect(containersOf(project.root, 'all').length).toBeGreaterThan(0);

  const doctor = await home.run(['doctor', '--json'], { cwd: project.root });
  expect(doctor.stdout).toContain('supervisors that were killed');
  expect(containersOf(project.root, 'all')).toEqual([]);
});
