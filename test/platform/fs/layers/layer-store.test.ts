import {
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LayerId } from '../../../../src/contracts/sandbox/package-managers.ts';
import { layerIdOf } from '../../../../src/lib/packages/layer-id.ts';
import { pinRoot } from '../../../../src/platform/fs/descriptors.ts';
import { LAYER_LIMITS, openLayerStore } from '../../../../src/platform/fs/layers/layer-store.ts';
import { isWhiteout } from '../../../../src/platform/fs/union/union-lookup.ts';
import { loadOpaqueMarks } from '../../../../src/platform/fs/xattr.ts';
import { systemRandom } from '../../../../src/platform/system/random.ts';

const LOCK = '{"lockfileVersion":3}';
const ID = layerIdOf('npm', LOCK);
const LAYER = { id: ID, manager: 'npm', members: [] } as const;

let stateDir: string;
let tree: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'fluffy-layers-'));
  tree = join(stateDir, 'tree');
  mkdirSync(join(tree, 'node_modules/a'), { recursive: true });
  mkdirSync(join(tree, 'node_modules/.bin'));
  writeFileSync(join(tree, 'node_modules/a/index.js'), 'a');
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const open = (limits = LAYER_LIMITS) => openLayerStore({ stateDir, random: systemRandom, limits });
const layers = () => readdirSync(join(stateDir, 'layers'));

async function rootsOf(name: string) {
  const root = join(stateDir, name);
  mkdirSync(root, { recursive: true });
  const project = pinRoot(root);
  return {
    projectRoot: root,
    marks: await loadOpaqueMarks(),
    root: { kind: 'directory' as const, staging: null, project, stat: fstatSync(project) },
  };
}

describe('installed packages', () => {
  it("are kept under the name of their lockfile, above what hides the user's own, with links between packages", async () => {
    symlinkSync('../a/index.js', join(tree, 'node_modules/.bin/a'));
    const store = await open();
    expect(await store.keep(tree, LAYER)).toEqual({ kind: 'kept' });
    const kept = join(stateDir, 'layers', ID, 'packages/node_modules');
    expect(existsSync(join(kept, '.bin/a'))).toBe(true);
    expect(isWhiteout(lstatSync(join(stateDir, 'layers', ID, 'hiding/node_modules')))).toBe(true);
    expect(existsSync(join(tree, 'node_modules'))).toBe(false);
  });

  it('are found by the lockfile that a workspace has now, or that a view shows in its place', async () => {
    const store = await open();
    await store.keep(tree, LAYER);
    const root = join(stateDir, 'project');
    const roots = await rootsOf('project');
    expect(store.find(roots)).toEqual([]);
    writeFileSync(join(root, 'package-lock.json'), LOCK);
    expect(store.find(roots)).toEqual([ID]);
    writeFileSync(join(root, 'package-lock.json'), `${LOCK}\n`);
    expect(store.find(roots)).toEqual([]);
    const shown = {
      path: 'package-lock.json',
      entry: { kind: 'file', bytes: Buffer.from(LOCK), executable: false },
    } as const;
    expect(store.find(roots, [shown])).toEqual([ID]);
    writeFileSync(join(root, 'package-lock.json'), LOCK);
    expect(store.find(roots, [{ path: 'package-lock.json', entry: { kind: 'absent' } }])).toEqual([]);
  });

  it('of a workspace are kept for each member, to which links lead', async () => {
    const members = ['packages/a', 'packages/b'];
    mkdirSync(join(tree, 'packages/a/node_modules/.bin'), { recursive: true });
    writeFileSync(join(tree, 'packages/a/package.json'), '{}');
    symlinkSync('../packages/b', join(tree, 'node_modules/b'));
    symlinkSync('../../..', join(tree, 'packages/a/node_modules/whole'));
    symlinkSync('../../../../node_modules/a/index.js', join(tree, 'packages/a/node_modules/.bin/a'));
    expect(await (await open()).keep(tree, { ...LAYER, members })).toEqual({ kind: 'kept' });
    const layer = join(stateDir, 'layers', ID);
    expect(existsSync(join(layer, 'packages/packages/a/node_modules/.bin/a'))).toBe(true);
    // What the member itself is, the project says.
    expect(readdirSync(join(layer, 'packages/packages/a'))).toEqual(['node_modules']);
    for (const each of members) expect(isWhiteout(lstatSync(join(layer, 'hiding', each, 'node_modules')))).toBe(true);
  });

  it('of Python may lead to the program of the Python that they are installed for, and are found for that one alone', async () => {
    const python = '/home/me/.pyenv/versions/3.12.1/bin/python3.12';
    mkdirSync(join(tree, '.venv/bin'), { recursive: true });
    symlinkSync(python, join(tree, '.venv/bin/python3'));
    const layer = { id: layerIdOf('pip', '', python), manager: 'pip', members: [] } as const;
    const forImage = await openLayerStore({ stateDir, random: systemRandom });
    expect(await forImage.keep(tree, layer)).toMatchObject({ kind: 'refused' });
    mkdirSync(join(tree, '.venv/bin'), { recursive: true });
    symlinkSync(python, join(tree, '.venv/bin/python3'));
    const forProject = await openLayerStore({ stateDir, random: systemRandom, python });
    expect(await forProject.keep(tree, layer)).toEqual({ kind: 'kept' });
    const shown = {
      path: 'requirements.txt',
      entry: { kind: 'file', bytes: Buffer.from(''), executable: false },
    } as const;
    expect(forProject.find(await rootsOf('project'), [shown])).toEqual([layer.id]);
    expect(forImage.find(await rootsOf('project'), [shown])).toEqual([]);
  });

  it('are examined while others get their turns', async () => {
    for (let file = 0; file < 1_500; file += 1) writeFileSync(join(tree, `node_modules/a/${file}.js`), '');
    let turns = 0;
    const waiting = setInterval(() => {
      turns += 1;
    }, 0);
    const store = await open();
    const before = turns;
    await store.keep(tree, LAYER);
    clearInterval(waiting);
    expect(turns - before).toBeGreaterThan(2);
  });

  it('may be none', async () => {
    rmSync(join(tree, 'node_modules'), { recursive: true });
    expect(await (await open()).keep(tree, LAYER)).toEqual({ kind: 'kept' });
  });

  it('take the place of those of the same lockfile, whose install scripts may not have run', async () => {
    const store = await open();
    await store.keep(tree, LAYER);
    mkdirSync(join(tree, 'node_modules'));
    writeFileSync(join(tree, 'node_modules/other.js'), 'other');
    expect(await store.keep(tree, LAYER)).toEqual({ kind: 'kept' });
    expect(readdirSync(join(stateDir, 'layers', ID, 'packages/node_modules'))).toEqual(['other.js']);
    await open();
    await vi.waitFor(() => expect(layers()).toEqual([ID, 'whiteout']));
  });
});

describe('refused, and nothing of it is left', () => {
  it.each<[string, () => void, string]>([
    ['a link out of the packages', () => symlinkSync('../../../secret', join(tree, 'node_modules/a/x')), 'leads out'],
    ['an absolute link', () => symlinkSync('/etc/passwd', join(tree, 'node_modules/a/x')), 'leads out'],
    [
      'a link that climbs after it descended',
      () => symlinkSync('b/../../../x', join(tree, 'node_modules/a/x')),
      'leads out',
    ],
    [
      'a hard link to what is outside',
      () => {
        writeFileSync(join(stateDir, 'outside'), 'x');
        linkSync(join(stateDir, 'outside'), join(tree, 'node_modules/a/x'));
      },
      'hard link',
    ],
    [
      'a link in place of the directory',
      () => {
        rmSync(join(tree, 'node_modules'), { recursive: true });
        symlinkSync('/etc', join(tree, 'node_modules'));
      },
      'is not a directory',
    ],
  ])('%s', async (_what, prepare, reason) => {
    prepare();
    const store = await open();
    expect(await store.keep(tree, LAYER)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason) as string,
    });
    expect(layers()).toEqual([]);
  });

  it.each([
    ['a link to what is no member', '../packages/c'],
    ['a link into a member', '../packages/a/src'],
  ])('%s', async (_what, target) => {
    symlinkSync(target, join(tree, 'node_modules/x'));
    expect(await (await open()).keep(tree, { ...LAYER, members: ['packages/a'] })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('leads out') as string,
    });
  });

  it('what a link in the place of a member leads to is not moved', async () => {
    mkdirSync(join(stateDir, 'elsewhere/node_modules'), { recursive: true });
    mkdirSync(join(tree, 'packages'));
    symlinkSync('../../elsewhere', join(tree, 'packages/a'));
    await (await open()).keep(tree, { ...LAYER, members: ['packages/a'] });
    expect(existsSync(join(stateDir, 'elsewhere/node_modules'))).toBe(true);
  });

  it('more than a layer may have', async () => {
    const store = await open({ ...LAYER_LIMITS, maxEntries: 2 });
    expect(await store.keep(tree, LAYER)).toMatchObject({ kind: 'refused' });
    expect(layers()).toEqual([]);
  });
});

it('what a crash left and what was not used for longest is removed when the store is opened', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => layerIdOf('npm', String(index)));
  const root = join(stateDir, 'layers');
  for (const [index, id] of ids.entries()) {
    mkdirSync(join(root, id), { recursive: true });
    utimesSync(join(root, id), index, index);
  }
  mkdirSync(join(root, 'making_x'));
  const store = await open();
  const shown = ids.map((_, index) => ({
    path: 'package-lock.json',
    entry: { kind: 'file', bytes: Buffer.from(String(index)), executable: false } as const,
  }));
  // At once, although removing them takes longer.
  const roots = await rootsOf('project');
  expect(shown.flatMap((each) => store.find(roots, [each]))).toEqual(ids.slice(2));
  await vi.waitFor(() => expect(layers().sort()).toEqual(([...ids.slice(2)] as LayerId[]).sort()));
});
