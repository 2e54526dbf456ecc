import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../../../src/contracts/ports/workspace.ts';
import type { Fixture } from '../fixture.ts';
import { fixture, isRoot, path, shell, stageText, textOf, withOverlay } from '../fixture.ts';

describe.runIf(isRoot)('an overlay operation', () => {
  async function run(fix: Fixture, workspace: Workspace, script: string) {
    return workspace.overlay((slot) => withOverlay(fix, slot, (merged) => shell(script, merged)));
  }

  async function changesOf(fix: Fixture, workspace: Workspace, script: string) {
    const outcome = await run(fix, workspace, script);
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
    const short = outcome.changes.map(({ path, before, after }) => `${path}: ${before.kind} -> ${after.kind}`);
    return { outcome, short };
  }

  it('is refused when one deletion takes more files with it than may change', async () => {
    const fix = fixture(Object.fromEntries(['1', '2', '3', '4', '5'].map((name) => [`many/${name}`, name])));
    const scratch = { maxEntries: 4, maxBytes: 1024 * 1024, maxFileBytes: 1024 * 1024, maxDepth: 10 };
    const outcome = await run(fix, await fix.open({ scratch }), 'rm -r many');
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'more than 4 files were deleted' });
  });

  it('reports what changed by content and folds it in', async () => {
    const fix = fixture({ 'a/x': '1', 'a/y': '2', 'b/z': '3', top: 't', same: 's' });
    const workspace = await fix.open();
    const { outcome, short } = await changesOf(
      fix,
      workspace,
      'touch same; echo new > a/n; rm a/x; rm -r b; mkdir b; echo q > b/q; chmod +x top; ln -s a/y link; mkdir empty',
    );
    expect(short).toEqual([
      'a/n: absent -> file',
      'a/x: file -> absent',
      'b/q: absent -> file',
      'b/z: file -> absent',
      'link: absent -> symlink',
      'top: file -> file',
    ]);
    const staged = await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
    expect(staged).toEqual({ kind: 'staged', generation: 2 });
    expect(await textOf(workspace, 'a/n')).toBe('new\n');
    expect(await textOf(workspace, 'a/x')).toBe('missing');
    expect(await textOf(workspace, 'b/z')).toBe('missing');
    expect(await textOf(workspace, 'b/q')).toBe('q\n');
    expect(await workspace.changes()).toEqual(outcome.changes);
    expect(readdirSync(join(fix.project, 'b'))).toEqual(['z']);
  });

  it("takes nothing of what is written into git's own directory", async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    const script =
      'mkdir -p .git/hooks sub; echo evil > .git/hooks/pre-commit; echo evil > .git/config; echo n > sub/new';
    const { short } = await changesOf(fix, workspace, script);
    expect(short).toEqual(['sub/new: absent -> file']);
  });

  it('is done again when a human edits the project meanwhile, and given up after three times', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    let runs = 0;
    const outcome = await workspace.overlay(async () => {
      runs += 1;
      writeFileSync(join(fix.project, 'file'), `edit ${runs}`);
    });
    expect(outcome).toEqual({ kind: 'moved', attempts: 3 });
    expect(runs).toBe(3);
    const once = await workspace.overlay(async () => {
      if (!existsSync(join(fix.project, 'second'))) writeFileSync(join(fix.project, 'second'), '');
    });
    expect(once.kind).toBe('completed');
  });

  it('is done again when a human edits the project between the operation before and this one', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    const first = await workspace.overlay(async () => 'ran');
    if (first.kind === 'completed') await first.discard();
    writeFileSync(join(fix.project, 'file'), 'edited');
    let runs = 0;
    const outcome = await workspace.overlay(async () => (runs += 1));
    expect(outcome).toMatchObject({ kind: 'completed', value: 2, changes: [] });
  });

  it('keeps staged writes out until it is settled', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    const outcome = await workspace.overlay(async () => 'ran');
    let staged = false;
    const writing = stageText(workspace, 'file', '2').then((kind) => {
      staged = true;
      return kind;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(staged).toBe(false);
    if (outcome.kind === 'completed') await outcome.discard();
    expect(await writing).toBe('staged');
    expect(await workspace.stat(path('file'))).toMatchObject({ kind: 'file', size: 1 });
  });

  it('takes hundreds of files in and out, and leaves no descriptor open', async () => {
    const fix = fixture({ 'old/0': '' });
    const workspace = await fix.open();
    const acceptAll = async (script: string): Promise<number> => {
      const { outcome } = await changesOf(fix, workspace, script);
      const staged = await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
      expect(staged.kind).toBe('staged');
      return outcome.changes.length;
    };
    expect(await acceptAll('mkdir new; for i in $(seq 300); do echo $i > new/$i; done')).toBe(300);
    const open = readdirSync('/proc/self/fd').length;
    expect(await acceptAll('rm -r new old; mkdir new; echo x > new/x')).toBe(302);
    expect(await workspace.list(path('new'))).toEqual([{ name: 'x', kind: 'file' }]);
    expect(await workspace.list(path('old'))).toBeNull();
    await workspace.diff();
    await workspace.glob('**', path(''), 10);
    expect(readdirSync('/proc/self/fd').length).toBe(open);
  });

  it('gives its lock and its slot back when what it runs fails', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    await expect(workspace.overlay(() => Promise.reject(new Error('no sandbox')))).rejects.toThrow('no sandbox');
    expect(await stageText(workspace, 'file', '2')).toBe('staged');
    expect((await workspace.overlay(async (slot) => slot)).kind).toBe('completed');
  });

  it('can be accepted once', async () => {
    const fix = fixture();
    const workspace = await fix.open();
    const { outcome } = await changesOf(fix, workspace, 'echo x > a');
    const [first, second] = await Promise.all([outcome.accept(new Set(['a'])), outcome.accept(new Set(['a']))]);
    expect([first.kind, second.kind]).toEqual(['staged', 'refused']);
    expect((await outcome.accept(new Set(['a']))).kind).toBe('refused');
    expect(await outcome.read('a')).toBeNull();
  });

  it('leaves nothing of a scratch that is discarded', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    const digest = await workspace.stagingDigest();
    const { outcome } = await changesOf(fix, workspace, 'echo 2 > file; mkdir -p d/e; touch d/e/f');
    expect((await outcome.read('file'))?.toString()).toBe('2\n');
    await outcome.discard();
    expect(await workspace.stagingDigest()).toBe(digest);
    expect(workspace.generation).toBe(1);
    expect(await workspace.changes()).toEqual([]);
    expect(readdirSync(join(fix.state, 'slots'))).toHaveLength(1);
    expect(readdirSync(join(fix.state, 'slots/0/upper'))).toEqual([]);
  });
});

describe.runIf(isRoot)('the digest of what is staged', () => {
  it.each([
    ['content', 'echo x > file'],
    ['a mode', 'chmod +x file'],
    ['a deletion', 'rm file'],
    ['a link', 'ln -s file link'],
    ['a hidden directory', 'rm -r d; mkdir d; cp keep d/x'],
  ])('changes with %s, and is the same for the same', async (_, script) => {
    const digests = [];
    for (const commands of ['true', script, script]) {
      const fix = fixture({ file: '1', 'd/x': '2', 'd/y': '3', keep: '2' });
      const workspace = await fix.open();
      const outcome = await workspace.overlay((slot) => withOverlay(fix, slot, (merged) => shell(commands, merged)));
      if (outcome.kind !== 'completed') throw new Error(outcome.kind);
      await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
      digests.push(await workspace.stagingDigest());
      expect(await (await fix.open()).stagingDigest()).toBe(digests.at(-1));
    }
    expect(digests[1]).not.toBe(digests[0]);
    expect(digests[2]).toBe(digests[1]);
  });
});
