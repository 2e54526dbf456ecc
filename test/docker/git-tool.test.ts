import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  gitCommitResultSchema,
  gitDiffResultSchema,
  gitStatusResultSchema,
} from '../../src/contracts/sandbox/git-tool.ts';
import type { GitCommitInput } from '../../src/contracts/sandbox/git-tool.ts';
import type { FileChange } from '../../src/contracts/review/change-set.ts';
import type { Sha256 } from '../../src/contracts/ids.ts';
import type { ToolSandboxResult } from '../../src/contracts/ports/sandboxes.ts';
import { composeChanges, composeCommit } from '../../src/kernel/repository/compose-changes.ts';
import { verifyPreparedCommit } from '../../src/kernel/commit/verify-prepared-commit.ts';
import { stateAt } from '../../src/platform/git/merge/project-entry.ts';
import { ordinaryGitDirectories } from '../../src/lib/git/git-directories.ts';
import { openRepository } from '../../src/platform/git/repository.ts';
import { snapshotTree } from '../support/snapshot-tree.ts';
import { makeImageCheckout } from './image-checkout.ts';
import type { ImageCheckout } from './image-checkout.ts';
import { SESSION } from './sandbox/manager-protocol.ts';
import { startSandboxFixture } from './sandbox/sandbox-fixture.ts';
import type { ManagerProcess, SandboxFixture } from './sandbox/sandbox-fixture.ts';
import { UID } from './support/guard-fixture.ts';

const repositoryRoot = join(import.meta.dirname, '../..');
const AUTHOR = { name: 'Ada Example', email: 'ada@example.org', seconds: 1_700_000_100, offsetMinutes: 60 };
const MESSAGE = 'Change a\n\nFluffy-Session: s_dockertest\n';

let checkout: ImageCheckout;
let image = '';
let fixture: SandboxFixture;
let manager: ManagerProcess;

beforeAll(async () => {
  checkout = await makeImageCheckout();
  const bundle = await build({
    entryPoints: [join(repositoryRoot, 'tool-plugins/git-tool/main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['koffi'],
    banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
    logLevel: 'silent',
  });
  const source = bundle.outputFiles[0]?.text ?? '';
  const name = 'tools/git-tool.mjs';
  writeFileSync(join(checkout.repoRoot, 'dist', name), source);
  const manifestFile = join(checkout.repoRoot, 'dist/manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { files: Record<string, string> };
  manifest.files[name] = createHash('sha256').update(source).digest('hex');
  writeFileSync(manifestFile, JSON.stringify(manifest));
  image = (await checkout.ensure(['node'])).manifest.images['node']?.id ?? '';
});
afterAll(() => checkout.remove());
beforeEach(async () => {
  fixture = await startSandboxFixture(image);
  makeProjectARepository();
  manager = await fixture.start();
});
afterEach(() => fixture.close());

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: fixture.guard.project,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
  }).toString();
}

/** The project as a human left it: one commit, a file staged, one dirty, one untracked. */
function makeProjectARepository(): void {
  const { project } = fixture.guard;
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', AUTHOR.name);
  git('config', 'user.email', AUTHOR.email);
  writeFileSync(join(project, 'dirty.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  writeFileSync(join(project, 'dirty.txt'), 'two\n');
  writeFileSync(join(project, 'staged.txt'), 'staged\n');
  git('add', 'staged.txt');
  writeFileSync(join(project, 'untracked.txt'), 'untracked\n');
  execFileSync('chown', ['-R', `${UID}:${UID}`, project]);
}

function stage(path: string, text: string): void {
  const file = join(fixture.guard.state, 'staging', SESSION, path);
  writeFileSync(file, text);
  chownSync(file, UID, UID);
}

async function ask(method: string, params: unknown): Promise<unknown> {
  const operation = { program: 'tool:git' as const, slot: 0, method, params, deadlineMs: 30_000 };
  const { result } = await manager.ask<ToolSandboxResult>({ call: 'tool', operation });
  if (result.kind !== 'ok') throw new Error(JSON.stringify(result));
  return result.result;
}

test('status and diff see project and staging as one, and leave nothing behind', async () => {
  stage('a.txt', 'changed by the session\n');
  const before = snapshotTree(fixture.guard.project);
  const status = gitStatusResultSchema.parse(await ask('git.status', {}));
  expect(Object.fromEntries(status.entries.map(({ path, index, worktree }) => [path, index + worktree]))).toEqual({
    'a.txt': '.M',
    'dirty.txt': '.M',
    'staged.txt': 'A.',
    'untracked.txt': '??',
  });
  const { diff } = gitDiffResultSchema.parse(await ask('git.diff', { path: 'a.txt' }));
  expect(diff).toContain('+changed by the session');
  expect(snapshotTree(fixture.guard.project)).toEqual(before);
  expect(readdirSync(join(fixture.guard.state, 'slots/0/upper'))).toEqual([]);
});

test('a commit is prepared in the scratch alone, and is the one that the kernel makes', async () => {
  const text = 'changed by the session\n';
  const { project, state } = fixture.guard;
  const a = stateAt(project, 'a.txt');
  if (a.kind !== 'file') throw new Error('no a.txt');
  const sha256 = createHash('sha256').update(text).digest('hex') as Sha256;
  const changes: FileChange[] = [
    { path: 'a.txt', before: a, after: { kind: 'file', sha256, size: text.length, executable: false } },
  ];
  stage('a.txt', text);
  const before = snapshotTree(project);

  const repository = openRepository(ordinaryGitDirectories(project));
  const head = await repository.state();
  if (head.kind === 'problem') throw new Error(JSON.stringify(head.problem));
  const composed = await composeChanges(repository, head.state, changes, () => Promise.resolve(Buffer.from(text)));
  if (composed.kind !== 'composed') throw new Error(JSON.stringify(composed));
  const metadata = { message: MESSAGE, author: AUTHOR, committer: AUTHOR };
  const expected = composeCommit(head.state, changes, composed.composed, metadata);
  const input: GitCommitInput = {
    parent: head.state.head,
    entries: [{ path: 'a.txt', mode: '100644' }],
    ...metadata,
  };
  const answer = gitCommitResultSchema.parse(await ask('git.commit', input));

  const { commit, tree } = expected.prepared;
  const status = gitStatusResultSchema.parse(await ask('git.status', {}));
  expect(status.entries).toContainEqual({ path: 'a.txt', index: '.', worktree: 'M' });
  expect(answer).toEqual({ commit, tree, converted: [], status });
  const upper = join(state, 'slots/0/upper');
  const readScratch = (path: string) =>
    Promise.resolve(existsSync(join(upper, path)) ? readFileSync(join(upper, path)) : null);
  expect(await verifyPreparedCommit(repository, expected, answer.commit, readScratch)).toEqual({ kind: 'verified' });
  await repository.close();
  expect(snapshotTree(project)).toEqual(before);
  const written = Object.entries(snapshotTree(upper)).filter(([, what]) => what.startsWith('file'));
  expect(written.map(([path]) => path).sort()).toEqual(
    [...expected.objects.keys()].map((id) => `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`).sort(),
  );
});
