import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { onTestFinished } from 'vitest';
import type { ProjectPath, SessionId } from '../../../src/contracts/ids.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import { recoverStaging } from '../../../src/platform/fs/staging/recover-staging.ts';
import type { SlotPool } from '../../../src/platform/fs/slots.ts';
import { createSlotPool } from '../../../src/platform/fs/slots.ts';
import type { WorkspaceLimits } from '../../../src/platform/fs/workspace.ts';
import { createWorkspace } from '../../../src/platform/fs/workspace.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';

export const SESSION = 's_testsession' as SessionId;

export interface Fixture {
  readonly base: string;
  readonly project: string;
  readonly state: string;
  readonly slots: SlotPool;
  /** Opens the session's workspace, after whatever recovery is due; closed with the test. */
  open(limits?: Partial<WorkspaceLimits>, ripgrepPath?: string): Promise<Workspace>;
}

/** A project and a state directory of their own, removed when the test ends. Values are file contents; `-> x` makes a link. */
export function fixture(files: Readonly<Record<string, string>> = {}): Fixture {
  const base = mkdtempSync(join(tmpdir(), 'fluffy-fs-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const project = join(base, 'project');
  const state = join(base, 'state');
  mkdirSync(project);
  mkdirSync(state);
  write(project, files);
  const slots = createSlotPool({ stateDir: state, size: 4, random: systemRandom });
  return {
    base,
    project,
    state,
    slots,
    open: async (limits, ripgrepPath = rgPath) => {
      await recoverStaging(state);
      const workspace = await createWorkspace({
        projectRoot: project,
        stateDir: state,
        session: SESSION,
        slots,
        clock: systemClock,
        random: systemRandom,
        ripgrepPath,
        ...(limits === undefined ? {} : { limits }),
      });
      onTestFinished(() => workspace.close());
      return workspace;
    },
  };
}

export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), join(root, path));
    else writeFileSync(join(root, path), content);
  }
}

export function path(text: string): ProjectPath {
  return text as ProjectPath;
}

/** Text of a file as the workspace shows it, or what it says instead. */
export async function textOf(workspace: Workspace, file: string): Promise<string> {
  const read = await workspace.read(path(file), 1024 * 1024);
  return read.kind === 'file' ? read.bytes.toString('utf8') : read.kind;
}

export async function stageText(workspace: Workspace, file: string, text: string): Promise<string> {
  const before = await workspace.stat(path(file));
  return (await workspace.stage(path(file), before, Buffer.from(text), false)).kind;
}

/** Mounting an overlay and making whiteouts is root's alone. */
export const isRoot = process.getuid?.() === 0;

export function shell(script: string, cwd: string): void {
  execFileSync('/bin/sh', ['-eu', '-c', script], { cwd, stdio: 'pipe' });
}

/** Where a slot's overlay is mounted over the fixture's project and staging, as the engine would. */
export async function withOverlay<T>(fix: Fixture, slot: number, use: (merged: string) => T | Promise<T>): Promise<T> {
  const merged = join(fix.base, `merged-${slot}`);
  mkdirSync(merged, { recursive: true });
  const { state, project } = fix;
  const layers = `lowerdir=${state}/staging/${SESSION}:${project}`;
  const scratch = `upperdir=${state}/slots/${slot}/upper,workdir=${state}/slots/${slot}/work`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', `${layers},${scratch},userxattr`, merged]);
  try {
    return await use(merged);
  } finally {
    execFileSync('umount', [merged]);
  }
}

/** Runs `use` as an ordinary user where the tests run as root, whom no permission stops. */
export async function asOrdinaryUser<T>(use: () => Promise<T>): Promise<T> {
  if (!isRoot) return use();
  process.seteuid?.(1000);
  try {
    return await use();
  } finally {
    process.seteuid?.(0);
  }
}
