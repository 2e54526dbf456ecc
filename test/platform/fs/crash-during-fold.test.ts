import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import { pinUpper } from '../../../src/platform/fs/slots.ts';
import type { Journal } from '../../../src/platform/fs/staging/staging-journal.ts';
import { beginJournal } from '../../../src/platform/fs/staging/staging-journal.ts';
import { openStaging } from '../../../src/platform/fs/staging/staging-layout.ts';
import { takeSteps } from '../../../src/platform/fs/staging/staging-steps.ts';
import { loadOpaqueMarks } from '../../../src/platform/fs/xattr.ts';
import { rounds, seededRandom } from '../../seeded-random.ts';
import { SESSION, fixture, path, stageText, textOf, write } from './fixture.ts';
import { readView } from './trees.ts';

describe('a crash while staging changes', () => {
  /** Replaces a directory by an opaque one, a directory by a file and a file by a directory, and adds and replaces files. */
  const steps: Journal['steps'] = [
    { kind: 'drop', path: 'gone', token: 'out_1' },
    { kind: 'directory', path: 'gone', mode: 0o755, opaque: true },
    { kind: 'directory', path: 'gone/inner', mode: 0o755, opaque: false },
    { kind: 'place', source: 'gone/inner/new', path: 'gone/inner/new' },
    { kind: 'drop', path: 'tofile', token: 'out_2' },
    { kind: 'place', source: 'tofile', path: 'tofile' },
    { kind: 'drop', path: 'todir', token: 'out_3' },
    { kind: 'directory', path: 'todir', mode: 0o755, opaque: true },
    { kind: 'place', source: 'todir/x', path: 'todir/x' },
    { kind: 'place', source: 'replaced', path: 'replaced' },
    { kind: 'place', source: 'added', path: 'added' },
  ];

  it.each(Array.from({ length: steps.length + 1 }, (_, done) => done))(
    'after %i steps is carried through at the next start',
    async (done) => {
      const fix = fixture({ 'gone/a': 'project', 'gone/b': 'project', other: 'project' });
      const first = await fix.open();
      for (const file of ['gone/a', 'tofile/y', 'todir', 'replaced']) await stageText(first, file, 'staged');
      const slot = join(fix.state, 'slots/2/upper');
      mkdirSync(slot, { recursive: true });
      write(slot, {
        'gone/inner/new': '1',
        tofile: '2',
        'todir/x': '3',
        replaced: '4',
        added: '5',
        left: 'not placed',
      });

      const directories = openStaging(fix.state, SESSION);
      beginJournal(directories, { source: { kind: 'slot', slot: 2 }, steps, reset: false });
      takeSteps(
        steps.slice(0, done),
        { layer: directories.layer, trash: directories.trash, source: pinUpper(fix.state, 2) },
        await loadOpaqueMarks(),
      );

      const expected = {
        'gone/inner/new': '- 1',
        tofile: '- 2',
        'todir/x': '- 3',
        replaced: '- 4',
        added: '- 5',
        other: '- project',
      };
      expect(await readView(await fix.open(), false)).toEqual(expected);
      expect(await readView(await fix.open(), false)).toEqual(expected);
      expect(readdirSync(join(fix.state, `staging/${SESSION}.base`)).sort()).toEqual([
        'blobs',
        'index.jsonl',
        'tmp',
        'trash',
      ]);
      expect(readdirSync(join(fix.state, `staging/${SESSION}.base/trash`))).toEqual([]);
    },
  );

  it('that cut the record of originals short loses only what was not staged', async () => {
    const fix = fixture({ a: 'project', b: 'project' });
    const first = await fix.open();
    await stageText(first, 'a', 'staged');
    const index = join(fix.state, `staging/${SESSION}.base/index.jsonl`);
    writeFileSync(index, '{"path":"b","state":{"kind":"fi', { flag: 'a' });
    const second = await fix.open();
    expect((await second.changes()).map((change) => change.path)).toEqual(['a']);
    expect(await stageText(second, 'b', 'staged')).toBe('staged');
    expect((await (await fix.open()).changes()).map((change) => change.path)).toEqual(['a', 'b']);
  });

  it('between the record of an original and the change makes no change of what a human then does', async () => {
    const fix = fixture({ a: 'project' });
    const first = await fix.open();
    await stageText(first, 'a', 'staged');
    const index = join(fix.state, `staging/${SESSION}.base/index.jsonl`);
    writeFileSync(index, '{"path":"b","state":{"kind":"absent"}}\n', { flag: 'a' });
    writeFileSync(join(fix.project, 'b'), 'human');
    expect((await (await fix.open()).changes()).map((change) => change.path)).toEqual(['a']);
  });
});

describe('kill -9 of a kernel that folds', () => {
  const SEEDS = Array.from({ length: rounds(5, 100) }, (_, seed) => seed);

  it.each(SEEDS)('leaves one whole fold or the one before (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const fix = fixture({ 'd/original': 'project', counter: '0' });
    for (let crash = 0; crash < 2; crash += 1) {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'fold-forever.ts'), fix.project, fix.state, rgPath],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      // The first fold is let through; how long it took says when the second is under way.
      await once(child.stdout, 'data');
      const began = performance.now();
      await once(child.stdout, 'data');
      await delay((performance.now() - began) * (0.2 + 0.8 * random()));
      child.kill('SIGKILL');
      await once(child, 'close');

      const workspace = await fix.open();
      const counter = await textOf(workspace, 'counter');
      const files = (await workspace.list(path('d'))) ?? [];
      expect(files).toHaveLength(100);
      for (const { name } of files) {
        expect(await workspace.stat(path(`d/${name}`))).toEqual({ kind: 'symlink', target: counter });
      }
      expect(files.every(({ name }) => name.startsWith(`${Number(counter) % 2}-`))).toBe(true);
      await expectConsistent(workspace, counter);
    }
  });
});

async function expectConsistent(workspace: Workspace, counter: string): Promise<void> {
  const changes = await workspace.changes();
  expect(changes.find((change) => change.path === 'd/original')?.after).toEqual({ kind: 'absent' });
  expect(changes.filter((change) => change.after.kind === 'symlink')).toHaveLength(100);
  expect(await workspace.diff()).toContain(`+${counter}\n`);
}
