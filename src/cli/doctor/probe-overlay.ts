import { chown, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, callEngine, expectEngine } from '../../host/images/engine-api.ts';
import { runThrowaway } from '../../host/images/throwaway-container.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { type DoctorCheck, ok, problem } from './doctor-report.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

export interface OverlayProbeOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly seccomp: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** `$XDG_STATE_HOME/fluffy`, where the workspaces' layers are. */
  readonly stateHome: string;
}

const ID = 'protection.workspace';

/**
 * Tests a workspace like those of runs: an overlay of directories in the state directory, written by a sandbox, read back from outside. The lower
 * layer must be unchanged, and a deletion must be visible as a whiteout.
 */
export async function probeOverlay(options: OverlayProbeOptions): Promise<DoctorCheck> {
  await makeDirectories(options.stateHome, 0o700);
  const base = await mkdtemp(join(options.stateHome, 'doctor-'));
  const volume = `fluffy-doctor-${process.pid}-${Date.now().toString(36)}`;
  try {
    await makeLayers(base, options.owner);
    await createVolume(options.engine, volume, base);
    const { exitCode, stderr } = await runThrowaway(options.engine, {
      image: options.image,
      command: ['/bin/sh', '-c', 'cd /work && echo new >kept && rm gone && mkdir made && rm -r tree && mkdir tree'],
      user: `${options.owner.uid}:${options.owner.gid}`,
      seccomp: options.seccomp,
      hostConfig: { Mounts: [{ Type: 'volume', Source: volume, Target: '/work' }] },
    });
    if (exitCode !== 0) return unusable(stderr.trim());
    const wrong = await wrongLayer(base);
    return wrong === undefined
      ? ok(ID, 'workspaces are overlays: changes are kept apart from the project')
      : unusable(wrong);
  } catch (error) {
    return unusable(messageOf(error));
  } finally {
    await callEngine(options.engine, { method: 'DELETE', path: `/volumes/${volume}` }).catch(() => undefined);
    await rm(base, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function makeLayers(base: string, { uid, gid }: OverlayProbeOptions['owner']): Promise<void> {
  for (const name of ['lower', 'lower/tree', 'upper', 'work']) await mkdir(join(base, name));
  for (const name of ['lower/kept', 'lower/gone', 'lower/tree/leaf']) await writeFile(join(base, name), 'old\n');
  const paths = ['', 'lower', 'lower/tree', 'upper', 'work', 'lower/kept', 'lower/gone', 'lower/tree/leaf'];
  if (process.getuid?.() === 0) for (const path of paths) await chown(join(base, path), uid, gid);
}

async function createVolume(engine: Engine, name: string, base: string): Promise<void> {
  const escaped = base.replaceAll(':', '\\:');
  const options = `lowerdir=${escaped}/lower,upperdir=${escaped}/upper,workdir=${escaped}/work,userxattr`;
  await expectEngine(engine, {
    method: 'POST',
    path: '/volumes/create',
    body: {
      kind: 'json',
      value: {
        Name: name,
        Driver: 'local',
        DriverOpts: { type: 'overlay', device: 'overlay', o: options },
        Labels: { 'fluffy.role': 'throwaway' },
      },
    },
  });
}

/** A fault in the layers after the overlay was used, or undefined. */
async function wrongLayer(base: string): Promise<string | undefined> {
  const text = (path: string): Promise<string> => readFile(join(base, path), 'utf8').catch(() => '');
  if ((await text('lower/kept')) !== 'old\n' || (await text('lower/gone')) !== 'old\n')
    return 'the project itself was written';
  if ((await text('upper/kept')) !== 'new\n') return 'a change did not reach the upper layer';
  const whiteout = await lstat(join(base, 'upper/gone')).catch(() => undefined);
  return whiteout?.isCharacterDevice() === true && whiteout.rdev === 0 ? undefined : 'a deletion left no mark';
}

function unusable(why: string): DoctorCheck {
  return problem(
    'error',
    ID,
    'workspaces cannot be overlays in the state directory',
    why,
    'put XDG_STATE_HOME on a local file system such as ext4 or xfs, with no comma in its path',
  );
}
