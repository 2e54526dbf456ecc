import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../src/contracts/review/change-set.ts';
import { diffChanges } from '../../../src/lib/diff/change-diff.ts';
import { sha256Of } from '../../../src/platform/fs/file-content.ts';
import { seededRandom } from '../../seeded-random.ts';
import { fixture, path, stageText, textOf } from '../../platform/fs/fixture.ts';
import { readTree } from '../../platform/fs/trees.ts';

/** One side of a change as data: text, `-> target`, `x:` before the text of an executable, null for nothing. */
type Side = string | Buffer | null;

function change(
  name: string,
  before: Side,
  after: Side,
): { change: FileChange; before: Buffer | null; after: Buffer | null } {
  return {
    change: { path: name, before: stateOf(before), after: stateOf(after) },
    before: bytesOf(before),
    after: bytesOf(after),
  };
}

function bytesOf(side: Side): Buffer | null {
  if (side === null) return null;
  return typeof side === 'string' ? Buffer.from(side.replace(/^x:/, '')) : side;
}

function stateOf(side: Side): FileChange['before'] {
  const bytes = bytesOf(side);
  if (bytes === null) return { kind: 'absent' };
  const text = bytes.toString();
  if (text.startsWith('-> ')) return { kind: 'symlink', target: text.slice(3) };
  const executable = typeof side === 'string' && side.startsWith('x:');
  return { kind: 'file', sha256: sha256Of(bytes), size: bytes.length, executable };
}

function put(root: string, name: string, side: Side): void {
  rmSync(join(root, name), { force: true });
  const bytes = bytesOf(side);
  if (bytes === null) return;
  const state = stateOf(side);
  if (state.kind === 'symlink') symlinkSync(state.target, join(root, name));
  else writeFileSync(join(root, name), bytes);
  if (state.kind === 'file') chmodSync(join(root, name), state.executable ? 0o755 : 0o644);
}

describe('the diff of a change set', () => {
  it.each<[string, string, Side, Side]>([
    ['a new file', 'a', null, 'one\ntwo\n'],
    ['a deleted file', 'a', 'one\n', null],
    ['a change', 'a', 'one\ntwo\nthree\n', 'one\n2\nthree\n'],
    ['no newline before', 'a', 'one\ntwo', 'one\ntwo\n'],
    ['no newline after', 'a', 'one\ntwo\n', 'one\ntwo'],
    ['no newline on either side', 'a', 'one\ntwo', 'one\n2'],
    ['an empty file made', 'a', null, ''],
    ['an empty file deleted', 'a', '', null],
    ['a file emptied', 'a', 'one\n', ''],
    ['a mode', 'a', 'one\n', 'x:one\n'],
    ['a mode and content', 'a', 'x:one\n', 'two\n'],
    ['a new link', 'a', null, '-> b'],
    ['a link that changes', 'a', '-> b', '-> c'],
    ['a link gone', 'a', '-> b', null],
    ['a file that becomes a link', 'a', 'one\n', '-> b'],
    ['a link that becomes a file', 'a', '-> b', 'one\n'],
    ['carriage returns', 'a', 'one\r\ntwo\r\n', 'one\r\n2\r\n'],
    ['a lone carriage return', 'a', 'one\rtwo\n', 'one\rzwei\n'],
    ['a blank in the name', 'a b', 'one\n', 'two\n'],
    ['quotes and backslashes in the name', 'a"b\\c', 'one\n', 'two\n'],
    ['tab and bell in the name', 'a\tb\u0007', 'one\n', null],
    ['umlauts', 'grün', null, 'grün\n'],
    ['lines that look like a header', 'a', '-- x\n++ y\n', '--- a\n+++ b\n@@ -1 +1 @@\n'],
  ])('is what git makes of it: %s', (_, name, before, after) => {
    const fix = fixture();
    put(fix.project, name, before);
    const made = change(name, before, after);
    const diff = diffChanges([made.change], { before: () => made.before, after: () => made.after });
    const target = join(fix.base, 'target');
    cpSync(fix.project, target, { recursive: true, verbatimSymlinks: true });
    put(target, name, after);

    execFileSync('git', ['apply', '--unsafe-paths', '--whitespace=nowarn', '-'], { cwd: fix.project, input: diff });
    expect(readTree(fix.project, true)).toEqual(readTree(target, true));
  });

  it.each([1, 2, 3, 4, 5, 6])('applies whatever the texts are (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const text = (): string => Array.from({ length: 60 }, () => `${Math.floor(random() * 6)}`).join('\n');
    const fix = fixture();
    const before = text();
    const after = text();
    put(fix.project, 'f', before);
    const made = change('f', before, after);
    const diff = diffChanges([made.change], { before: () => made.before, after: () => made.after });
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: fix.project, input: diff });
    expect(readTree(fix.project, false)).toEqual({ f: `- ${after}` });
  });

  it('marks the end of a name that has a blank in it', () => {
    const made = change('a b', 'one\n', null);
    const diff = diffChanges([made.change], { before: () => made.before, after: () => made.after });
    expect(diff).toBe(
      'diff --git a/a b b/a b\ndeleted file mode 100644\n--- a/a b\t\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n',
    );
  });

  it('names sizes and hashes of what is no text', () => {
    const made = change('a.png', Buffer.from([0, 1]), Buffer.from([0, 1, 2]));
    const diff = diffChanges([made.change], { before: () => made.before, after: () => made.after });
    expect(diff).toBe(
      'diff --git a/a.png b/a.png\n' +
        `Binary files differ: 2 bytes, sha256 ${sha256Of(Buffer.from([0, 1]))} -> 3 bytes, sha256 ${sha256Of(Buffer.from([0, 1, 2]))}\n`,
    );
  });

  it('is the same however often it is asked for, and starts from the originals', async () => {
    const fix = fixture({ a: 'one\n', b: 'two\n' });
    const workspace = await fix.open();
    await stageText(workspace, 'b', 'three\n');
    await stageText(workspace, 'a', 'four\n');
    const first = await workspace.diff();
    writeFileSync(join(fix.project, 'a'), 'a human was here\n');
    unlinkSync(join(fix.project, 'b'));
    expect(await workspace.diff()).toBe(first);
    expect(await (await fix.open()).diff()).toBe(first);
    expect(first.split('\n').filter((line) => line.startsWith('diff'))).toEqual([
      'diff --git a/a b/a',
      'diff --git a/b b/b',
    ]);
    await stageText(workspace, 'a', 'one\n');
    expect((await workspace.changes()).map((entry) => entry.path)).toEqual(['b']);
    expect(await textOf(workspace, 'a')).toBe('one\n');
    expect(lstatSync(join(fix.project, 'a')).isFile()).toBe(true);
    expect(await workspace.stat(path('b'))).toMatchObject({ kind: 'file' });
  });
});
