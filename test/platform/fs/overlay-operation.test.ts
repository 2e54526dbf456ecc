import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { Fixture } from './fixture.ts';
import { fixture, isRoot, path, shell, stageText, textOf, withOverlay } from './fixture.ts';

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
});
