import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileChange, FileState } from '../../../src/contracts/review/change-set.ts';
import type { Sha256 } from '../../../src/contracts/ids.ts';
import type { TestCommand } from '../../../src/contracts/session/session-protocol.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import { redStillHolds } from '../../../src/kernel/proof/red-still-holds.ts';
import type { Services } from '../../../src/kernel/services.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';
import type { Red } from '../../../src/contracts/session/session-facts.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

const ABSENT: FileState = { kind: 'absent' };
const file = (digit: string): FileState => ({
  kind: 'file',
  sha256: digit.repeat(64) as Sha256,
  size: 1,
  executable: false,
});
const LINK: FileState = { kind: 'symlink', target: 'elsewhere.json' };
const TEST: FileChange = { path: 'test/a.test.js', before: ABSENT, after: file('1') };
const SOURCE: FileChange = { path: 'src/a.js', before: file('1'), after: file('2') };
const COMMAND: TestCommand = { runner: 'node-test', cwd: '', args: ['--import=./support/setup.mjs'] };

const SESSION = { state: 'validating', mode: 'strict' } as const;

class Rerun extends Error {}

/** What becomes of red with these changes; `rerun` when the tests would be run again in a second view of the project. */
async function outcomeOf(changes: readonly FileChange[], sensitive: Red['sensitive'] = {}): Promise<string> {
  const red = { cases: ['test/a.test.js\0a'], files: [], frozen: {}, sensitive } as unknown as Red;
  const services = {
    options: { project_root: '/project' },
    policy: () => policy,
    workspaces: { scratch: () => Promise.reject(new Rerun()) },
  } as unknown as Services;
  const workspace = { changes: () => Promise.resolve(changes) } as unknown as Workspace;
  const { signal } = new AbortController();
  try {
    const baseline = { kind: 'unknown', why: '' } as const;
    const site = { session: SESSION, workspace };
    const again = await redStillHolds(services, site, COMMAND, { red, baseline }, signal);
    return again.kind === 'refused' ? again.why : again.kind;
  } catch (error) {
    if (error instanceof Rerun) return 'rerun';
    throw error;
  }
}

describe('after red', () => {
  it.each<[string, FileChange[], string]>([
    ['source alone', [], 'unchanged'],
    ['a changed package.json', [{ path: 'package.json', before: file('1'), after: file('2') }], 'rerun'],
    ['a changed file that is preloaded', [{ path: 'support/setup.mjs', before: ABSENT, after: file('2') }], 'rerun'],
    ['a file that nothing names', [{ path: 'support/other.mjs', before: ABSENT, after: file('2') }], 'unchanged'],
  ])('%s: %s', async (_, changes, expected) => {
    expect(await outcomeOf([SOURCE, TEST, ...changes])).toBe(expected);
  });

  it.each<[string, FileChange]>([
    ['deleted', { path: 'tsconfig.json', before: file('1'), after: ABSENT }],
    ['made a link', { path: 'tsconfig.json', before: file('1'), after: LINK }],
    ['added as a link', { path: 'tsconfig.json', before: ABSENT, after: LINK }],
    ['replaced by a directory', { path: 'tsconfig.json', before: file('1'), after: { kind: 'directory' } }],
  ])('a sensitive file that was %s is not passed over', async (_, change) => {
    expect(await outcomeOf([SOURCE, TEST, change])).toContain('tsconfig.json was deleted, moved or replaced by a link');
  });

  it('is seen again without a sensitive file that the session made before and took away since', async () => {
    expect(await outcomeOf([SOURCE, TEST], { 'jest.config.js': '1'.repeat(64) })).toBe('rerun');
  });

  it('nothing is run again when a file was deleted before red already', async () => {
    const gone = { path: 'tsconfig.json', before: file('1'), after: ABSENT } as const;
    expect(await outcomeOf([SOURCE, TEST, gone], { 'tsconfig.json': 'deleted' })).toBe('unchanged');
  });
});
