import { describe, expect, it } from 'vitest';
import { rounds } from '../../seeded-random.ts';
import { fixture, isRoot, shell, stageText, withOverlay } from './fixture.ts';
import type { Tree } from './trees.ts';
import { NAMES, generator, mutate, readTree, readView } from './trees.ts';

const SEEDS = rounds(10, 300);

describe.runIf(isRoot)('the union, compared with a real overlay', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'shows the same tree after every fold (seed %i)',
    async (seed) => {
      const below = generator(seed);
      const fix = fixture();
      mutate(fix.project, below, 25);
      const original = readTree(fix.project, true);
      const workspace = await fix.open();

      for (let round = 0; round < 4; round += 1) {
        const before = await readView(workspace, false);
        let merged: Tree = {};
        const outcome = await workspace.overlay((slot) =>
          withOverlay(fix, slot, (mountpoint) => {
            expect(readTree(mountpoint, false)).toEqual(before);
            mutate(mountpoint, below, 12);
            merged = readTree(mountpoint, false);
          }),
        );
        if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));

        const changed = outcome.changes.filter(
          ({ before: was, after }) => was.kind !== 'directory' && after.kind !== 'directory',
        );
        const expected = [...new Set([...Object.keys(before), ...Object.keys(merged)])]
          .filter((file) => before[file] !== merged[file])
          .sort();
        const swapped = outcome.changes.filter((change) => !changed.includes(change)).map((change) => change.path);
        expect([...changed.map((change) => change.path), ...swapped].sort()).toEqual(
          [...new Set([...expected, ...swapped])].sort(),
        );

        const staged = await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
        expect(staged.kind).toBe('staged');
        expect(await readView(workspace, false)).toEqual(merged);

        const file = NAMES[below(NAMES.length)] ?? '';
        const written = await stageText(workspace, `${file}/staged`, `round ${round}`);
        if (written === 'staged') expect((await readView(workspace, false))[`${file}/staged`]).toBe(`- round ${round}`);
      }

      expect(readTree(fix.project, true)).toEqual(original);
      const final = await readView(workspace, false);
      const changes = await workspace.changes();
      const rebuilt: Tree = Object.fromEntries(
        Object.entries(original).filter(([, content]) => content !== 'directory'),
      );
      for (const change of changes) {
        if (change.after.kind === 'file' || change.after.kind === 'symlink')
          rebuilt[change.path] = final[change.path] ?? 'nothing';
        else delete rebuilt[change.path];
      }
      expect(rebuilt).toEqual(final);

      await workspace.reset();
      expect(await readView(workspace, true)).toEqual(original);
      expect(await workspace.changes()).toEqual([]);
    },
  );

  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'shows exactly the accepted changes, or refuses (seed %i)',
    async (seed) => {
      const below = generator(seed + 1000);
      const fix = fixture();
      mutate(fix.project, below, 25);
      const workspace = await fix.open();
      for (let round = 0; round < 4; round += 1) {
        const before = await readView(workspace, false);
        const outcome = await workspace.overlay((slot) =>
          withOverlay(fix, slot, (mountpoint) => mutate(mountpoint, below, 6)),
        );
        if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
        const accepted = outcome.changes.filter(() => below(3) > 0);
        const expected = { ...before };
        for (const { path, after } of accepted) {
          const bytes = await outcome.read(path);
          if (after.kind === 'file') expected[path] = `${after.executable ? 'x' : '-'} ${bytes?.toString('utf8')}`;
          else if (after.kind === 'symlink') expected[path] = `-> ${after.target}`;
          else delete expected[path];
        }
        const staged = await outcome.accept(new Set(accepted.map((change) => change.path)));
        expect(['staged', 'refused']).toContain(staged.kind);
        expect(await readView(workspace, false)).toEqual(staged.kind === 'staged' ? expected : before);
      }
    },
  );

  it.each([
    ['a directory made again with an inner directory of the old name', 'rm -r a; mkdir -p a/b; echo n > a/b/n'],
    ['a file where a directory was', 'rm -r a; echo f > a'],
    ['a directory where a file was', 'rm top; mkdir -p top/x; echo f > top/x/y'],
    ['a directory moved away and back', 'mv a z; mv z a'],
    ['a directory moved, contents and all', 'mv a/b moved'],
    ['a file moved over another', 'mv top a/x'],
    ['everything deleted', 'rm -r ./*'],
    ['a deletion and the same file again', 'cp top keep; rm top; cp keep top; rm keep'],
    ['an empty directory emptied and removed', 'mkdir e; touch e/f; rm -r e'],
    ['a link in place of a directory', 'rm -r a; ln -s top a'],
  ])('agrees twice over about %s', async (_, script) => {
    const fix = fixture({ 'a/b/y': '1', 'a/x': '2', top: '3', 'other/deep/er': '4' });
    const workspace = await fix.open();
    for (const commands of [script, 'mkdir -p a/b; echo later > a/b/later', script]) {
      let merged: Tree = {};
      const outcome = await workspace.overlay((slot) =>
        withOverlay(fix, slot, (mountpoint) => {
          try {
            shell(commands, mountpoint);
          } catch {
            // The second time some of it is gone already; what was done until then is compared anyway.
          }
          merged = readTree(mountpoint, false);
        }),
      );
      if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
      const staged = await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
      expect(staged.kind).toBe('staged');
      expect(await readView(workspace, false)).toEqual(merged);
    }
  });
});
