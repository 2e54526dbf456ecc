import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RangeVerdict } from '../../../src/cli/audit/range/verify-range.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { STRAIGHT } from '../../support/job/parse-config-turns.ts';

const TASK = ['-p', 'Add error handling to parseConfig', '--model', 'anthropic/claude-test'];

/** One commit by policy, made here and pushed; then whoever has a clone and the keys verifies it, with a home that knows nothing. */
let made: JobScene;
let elsewhere: FluffyHome;
let base: string;
let keys: string;

beforeAll(async () => {
  made = await jobScene(STRAIGHT);
  elsewhere = makeFluffyHome();
  base = mkdtempSync(join(tmpdir(), 'fluffy-elsewhere-'));
  keys = join(base, 'team.keys');
  const cwd = made.project.root;
  const waiting = await made.home.run([...TASK, '--approve', 'ask'], { cwd });
  expect(waiting.code).toBe(4);
  const approved = await made.home.run(['review', '--approve'], { cwd });
  expect(approved.code).toBe(0);
  writeFileSync(keys, (await made.home.run(['audit', 'keys'], { cwd })).stdout);
  git(base, 'init', '--quiet', '--bare', '--initial-branch=main', 'shared.git');
  made.project.git('push', '--quiet', join(base, 'shared.git'), 'main', 'refs/fluffy/evidence');
  git(base, 'clone', '--quiet', 'shared.git', 'clone');
}, 300_000);

afterAll(async () => {
  await elsewhere.remove([]);
  await made.close();
  rmSync(base, { recursive: true, force: true });
});

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.invalid', '-c', 'safe.directory=*'];
  return execFileSync('git', [...who, '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

const verify = (clone: string, ...args: string[]) =>
  elsewhere.run(['audit', 'verify', '--range', 'HEAD~1..HEAD', ...args], { cwd: join(base, clone) });

describe('a commit that a person approved, in a clone on another machine', () => {
  it('cannot be judged before its evidence is fetched, which is said with the command for it', async () => {
    const result = await verify('clone', '--keys', keys);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("git fetch origin 'refs/fluffy/*:refs/fluffy/*'");
  });

  it('is verified with the keys that its maker handed over, and with no others', async () => {
    git(join(base, 'clone'), 'fetch', '--quiet', 'origin', 'refs/fluffy/*:refs/fluffy/*');
    const result = await verify('clone', '--keys', keys, '--json', '--require', 'verified');
    expect(result.stderr).toBe('');
    const verdict = JSON.parse(result.stdout) as RangeVerdict;
    expect(verdict.commits.flatMap(({ problems }) => problems)).toEqual([]);
    expect(result.code).toBe(0);
    expect(verdict).toMatchObject({
      intact: true,
      counts: { verified: 1, unverified: 0, unattested: 0, broken: 0 },
      commits: [{ status: 'verified', proof: { mode: 'strict', red: { frozen: 1 }, decided: { by: 'human' } } }],
    });

    const without = await verify('clone');
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('fluffy audit keys');
    const own = join(base, 'own.keys');
    writeFileSync(own, (await elsewhere.run(['audit', 'keys'])).stdout);
    const strangers = await verify('clone', '--keys', own);
    expect(strangers.code).toBe(10);
    expect(strangers.stdout).toContain('no key that you trust has signed it');
  });

  it('is broken once it is amended, and more than a shallow clone is asked for', async () => {
    git(base, 'clone', '--quiet', 'shared.git', 'amended');
    const clone = join(base, 'amended');
    git(clone, 'fetch', '--quiet', 'origin', 'refs/fluffy/*:refs/fluffy/*');
    writeFileSync(join(clone, 'src/parse-config.js'), 'export const parseConfig = () => ({});\n');
    git(clone, 'commit', '--quiet', '--amend', '--no-edit', '--all');
    const amended = await verify('amended', '--keys', keys);
    expect(amended.code).toBe(10);
    expect(amended.stdout).toMatch(/BROKEN[\s\S]*subject: [\s\S]*review: /);

    git(base, 'clone', '--quiet', '--depth', '1', `file://${join(base, 'shared.git')}`, 'shallow');
    const shallow = await verify('shallow', '--keys', keys);
    expect(shallow.code).toBe(2);
    expect(shallow.stderr).toContain('git fetch --unshallow');
  });
});
