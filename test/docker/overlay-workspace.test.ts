import { chmodSync, chownSync, fstatSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../../src/contracts/ports/workspace.ts';
import { compareScratch } from '../../src/platform/fs/scratch/compare-scratch.ts';
import { pinRoot } from '../../src/platform/fs/descriptors.ts';
import { viewLayers } from '../../src/platform/fs/union/layer-view.ts';
import { planFold } from '../../src/platform/fs/scratch/plan-fold.ts';
import { scanScratch } from '../../src/platform/fs/scratch/scan-scratch.ts';
import { pinUpper } from '../../src/platform/fs/slots.ts';
import { beginJournal } from '../../src/platform/fs/staging/staging-journal.ts';
import { openStaging } from '../../src/platform/fs/staging/staging-layout.ts';
import { takeSteps } from '../../src/platform/fs/staging/staging-steps.ts';
import { loadOpaqueMarks } from '../../src/platform/fs/xattr.ts';
import { systemRandom } from '../../src/platform/system/random.ts';
import type { Fixture } from '../platform/fs/fixture.ts';
import { SESSION, fixture, stageText, textOf } from '../platform/fs/fixture.ts';
import type { Tree } from '../platform/fs/trees.ts';
import { readView } from '../platform/fs/trees.ts';
import { makeProbeImage } from './support/probe-image.ts';

const UID = 1000;
const docker = new Docker({ socketPath: '/var/run/docker.sock' });

/** Runs a script in the workspace, then prints its tree as `readView` tells it. */
const PROBE = `
import fs from 'node:fs';
import path from 'node:path';
import net from 'node:net';
const { rmSync: rm, mkdirSync: mkdir, writeFileSync: write, renameSync: mv, chmodSync: chmod, symlinkSync: link } = fs;
await (0, eval)('(async (fs, net, rm, mkdir, write, mv, chmod, link) => {' + process.env.SCRIPT + '})')(fs, net, rm, mkdir, write, mv, chmod, link);
const tree = {};
const visit = (dir) => {
  for (const name of fs.readdirSync(dir || '.')) {
    const at = path.join(dir, name);
    const stat = fs.lstatSync(at);
    if (stat.isDirectory()) { try { visit(at); } catch {} }
    else if (stat.isSymbolicLink()) tree[at] = '-> ' + fs.readlinkSync(at);
    else if (stat.isFile()) tree[at] = (stat.mode & 0o100 ? 'x ' : '- ') + fs.readFileSync(at, 'utf8');
  }
};
visit('');
console.log('TREE' + JSON.stringify(tree));
process.exit(0);
`;

let image: Awaited<ReturnType<typeof makeProbeImage>>;
beforeAll(async () => {
  image = await makeProbeImage([{ path: '/probe.mjs', source: PROBE }]);
});
afterAll(() => image.remove());

/** The kernel is an ordinary user; only the engine is root. */
function asKernel<T>(use: () => T): T {
  process.seteuid?.(UID);
  try {
    return use();
  } finally {
    process.seteuid?.(0);
  }
}

async function asKernelAsync<T>(use: () => Promise<T>): Promise<T> {
  process.seteuid?.(UID);
  try {
    return await use();
  } finally {
    process.seteuid?.(0);
  }
}

async function openOwned(files: Readonly<Record<string, string>>): Promise<{ fix: Fixture; workspace: Workspace }> {
  const fix = fixture(files);
  chmodSync(fix.base, 0o755);
  const give = (directory: string): void => {
    chownSync(directory, UID, UID);
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) give(join(directory, entry.name));
      else if (entry.isFile()) chownSync(join(directory, entry.name), UID, UID);
    }
  };
  give(fix.base);
  return { fix, workspace: await asKernelAsync(() => fix.open()) };
}

/** A container over an overlay volume made as the runtime guard makes it; gone, volume and all, when this resolves. */
async function runInContainer(fix: Fixture, slot: number, script: string): Promise<Tree> {
  const name = systemRandom.id('fluffytest');
  const { state, project } = fix;
  await docker.createVolume({
    Name: name,
    Driver: 'local',
    DriverOpts: {
      type: 'overlay',
      device: 'overlay',
      o: `lowerdir=${state}/staging/${SESSION}:${project},upperdir=${state}/slots/${slot}/upper,workdir=${state}/slots/${slot}/work,userxattr`,
    },
  });
  try {
    const container = await docker.createContainer({
      Image: image.id,
      Cmd: ['/usr/local/bin/node', '/probe.mjs'],
      Env: [`SCRIPT=${script}`],
      User: `${UID}:${UID}`,
      WorkingDir: project,
      HostConfig: {
        Mounts: [{ Type: 'volume', Source: name, Target: project }],
        NetworkMode: 'none',
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
      },
    });
    try {
      await container.start();
      await container.wait();
      const logs = (await container.logs({ stdout: true, stderr: true })).toString('utf8');
      const tree = /TREE(.*)/.exec(logs)?.[1];
      if (tree === undefined) throw new Error(logs);
      return JSON.parse(tree) as Tree;
    } finally {
      await container.remove({ force: true });
    }
  } finally {
    await docker.getVolume(name).remove();
  }
}

/** One overlay operation by an unprivileged kernel; also what the container saw at its end. */
async function operate(fix: Fixture, workspace: Workspace, script: string) {
  let seen: Tree = {};
  const outcome = await asKernelAsync(() =>
    workspace.overlay(async (slot) => {
      process.seteuid?.(0);
      try {
        seen = await runInContainer(fix, slot, script);
      } finally {
        process.seteuid?.(UID);
      }
    }),
  );
  return { outcome, seen };
}

async function operateAndAccept(fix: Fixture, workspace: Workspace, script: string): Promise<Tree> {
  const { outcome, seen } = await operate(fix, workspace, script);
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
  const staged = await asKernelAsync(() => outcome.accept(new Set(outcome.changes.map((change) => change.path))));
  expect(staged.kind).toBe('staged');
  return seen;
}

const PROJECT = {
  'keep.txt': 'kept',
  'gone.txt': 'gone',
  'old-name.txt': 'moved',
  'run.sh': 'script',
  'whole/a': '1',
  'whole/deep/b': '2',
  'again/a': '3',
  'again/b': '4',
  'swap-dir/x': '5',
  'swap-file': '6',
};

const FIRST = `
  rm('gone.txt'); mv('old-name.txt', 'new-name.txt'); chmod('run.sh', 0o755);
  rm('whole', { recursive: true });
  rm('again', { recursive: true }); mkdir('again'); write('again/c', 'new'); write('again/b', '4');
  rm('swap-dir', { recursive: true }); write('swap-dir', 'file now');
  rm('swap-file'); mkdir('swap-file/in', { recursive: true }); write('swap-file/in/y', 'dir now');
  link('keep.txt', 'alias'); mkdir('closed'); write('closed/z', 'z'); chmod('closed', 0o500);
`;

describe('the workspace of an unprivileged kernel, with real containers', () => {
  it('takes in what a container did, and the next container sees it', async () => {
    const { fix, workspace } = await openOwned(PROJECT);
    const first = await operateAndAccept(fix, workspace, FIRST);
    expect(first).toMatchObject({
      'new-name.txt': '- moved',
      'run.sh': 'x script',
      alias: '-> keep.txt',
      'closed/z': '- z',
    });
    expect(await asKernelAsync(() => readView(workspace, false))).toEqual(first);

    const whiteout = lstatSync(join(fix.state, 'staging', SESSION, 'gone.txt'));
    expect({ device: whiteout.isCharacterDevice(), rdev: whiteout.rdev, uid: whiteout.uid }).toEqual({
      device: true,
      rdev: 0,
      uid: 0,
    });

    // Back into a directory that is a whiteout, by the kernel alone.
    expect(await asKernelAsync(() => stageText(workspace, 'whole/deep/written', 'patch'))).toBe('staged');
    expect(await asKernelAsync(() => stageText(workspace, 'gone.txt', 'back'))).toBe('staged');
    const view = await asKernelAsync(() => readView(workspace, false));
    expect(view).toEqual({ ...first, 'whole/deep/written': '- patch', 'gone.txt': '- back' });

    const second = await operateAndAccept(
      fix,
      workspace,
      `rm('whole', { recursive: true }); mkdir('whole'); rm('again/c'); rm('swap-dir'); mkdir('swap-dir'); write('swap-dir/x', '5');
       mv('new-name.txt', 'old-name.txt'); rm('swap-file', { recursive: true }); write('late', 'late');`,
    );
    expect(await asKernelAsync(() => readView(workspace, false))).toEqual(second);
    const third = await operateAndAccept(fix, workspace, '');
    expect(third).toEqual(second);

    const changes = await asKernelAsync(() => workspace.changes());
    expect(changes.map((change) => change.path)).toEqual([
      'again/a',
      'alias',
      'closed/z',
      'gone.txt',
      'late',
      'run.sh',
      'swap-file',
      'whole/a',
      'whole/deep/b',
    ]);
    await asKernelAsync(() => workspace.reset());
    expect(await asKernelAsync(() => textOf(workspace, 'gone.txt'))).toBe('gone');
    expect(readdirSync(join(fix.state, 'staging', SESSION))).toEqual([]);
    expect(lstatSync(join(fix.project, 'whole/deep/b')).isFile()).toBe(true);
  });

  it.each([
    ['a socket', `await new Promise((done) => net.createServer().listen('sock', done));`, /socket/],
    ['a setuid file', `write('s', ''); chmod('s', 0o4755);`, /setuid/],
    ['a link out', `link('/etc/passwd', 'l');`, /out of the project/],
  ])('refuses %s, and uses the slot again', async (_, script, reason) => {
    const { fix, workspace } = await openOwned(PROJECT);
    const { outcome } = await operate(
      fix,
      workspace,
      `mkdir('locked'); write('locked/f', ''); chmod('locked', 0); ${script}`,
    );
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(reason) as string });
    const slots = readdirSync(join(fix.state, 'slots'));
    const after = await operateAndAccept(fix, workspace, `write('fine', 'fine');`);
    expect(after['fine']).toBe('- fine');
    expect(readdirSync(join(fix.state, 'slots'))).toEqual(slots);
    expect(asKernel(() => readdirSync(join(fix.state, 'slots', slots[0] ?? '', 'upper')))).toEqual([]);
  });

  it.each([0, 0.3, 0.7, 1])('finishes, as that user, a fold that stopped after %d of its steps', async (share) => {
    const { fix, workspace } = await openOwned(PROJECT);
    let slotNumber = -1;
    let seen: Tree = {};
    await asKernelAsync(() =>
      workspace.overlay(async (slot) => {
        slotNumber = slot;
        process.seteuid?.(0);
        seen = await runInContainer(fix, slot, FIRST).finally(() => process.seteuid?.(UID));
      }),
    );
    await asKernelAsync(async () => {
      const marks = await loadOpaqueMarks();
      const directories = openStaging(fix.state, SESSION);
      const upper = pinUpper(fix.state, slotNumber);
      const project = pinRoot(fix.project);
      const root = { kind: 'directory' as const, staging: directories.layer, project, stat: fstatSync(project) };
      const roots = { projectRoot: fix.project, marks, root };
      const scan = await scanScratch(upper, marks, {
        maxEntries: 1000,
        maxBytes: 1e6,
        maxFileBytes: 1e6,
        maxDepth: 50,
      });
      if (scan.kind !== 'scanned') throw new Error(scan.reason);
      const compared = await compareScratch(scan.root, { roots, isIgnored: () => false, maxEntries: 1000 });
      if (compared.kind !== 'compared') throw new Error(compared.reason);
      const accepted = new Set(compared.changes.map((change) => change.path));
      const view = viewLayers(roots, directories.layer);
      const plan = planFold({ ...scan, ...compared, accepted, view, token: () => systemRandom.id('out') });
      if (plan.kind !== 'planned') throw new Error(plan.reason);
      const steps = [...plan.steps];
      beginJournal(directories, { source: { kind: 'slot', slot: slotNumber }, steps, reset: false });
      const between = { layer: directories.layer, trash: directories.trash, source: upper };
      takeSteps(steps.slice(0, Math.round(steps.length * share)), between, marks);
    });
    const recovered = await asKernelAsync(() => fix.open());
    expect(await asKernelAsync(() => readView(recovered, false))).toEqual(seen);
  });
});
