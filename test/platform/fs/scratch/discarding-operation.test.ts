import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/platform/fs/workspace.ts';
import { systemClock } from '../../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../../src/platform/system/random.ts';
import { SESSION, fixture, isRoot, shell, stageText, textOf, withOverlay } from '../fixture.ts';

describe.runIf(isRoot)('an operation whose changes are dropped', () => {
  it('sees project and staging, and leaves nothing, whatever it leaves behind', async () => {
    const fix = fixture({ file: '1', other: 'x' });
    const workspace = await fix.open();
    await stageText(workspace, 'file', '2');
    const outcome = await workspace.discarding((slot) =>
      withOverlay(fix, slot, (merged) => {
        const seen = readFileSync(join(merged, 'file'), 'utf8');
        shell('echo 3 > file; rm other; mkfifo pipe; chmod u+s file', merged);
        return seen;
      }),
    );
    expect(outcome).toEqual({ kind: 'completed', value: '2', hidden: [] });
    expect(await textOf(workspace, 'file')).toBe('2');
    expect(await textOf(workspace, 'other')).toBe('x');
    expect(readdirSync(fix.project).sort()).toEqual(['file', 'other']);
    const left = (slot: number) => withOverlay(fix, slot, (merged) => readdirSync(merged).sort());
    expect(await workspace.discarding(left)).toMatchObject({ value: ['file', 'other'] });
  });

  it('runs while a change waits to be accepted, and while another one runs', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    const waiting = await workspace.overlay(async () => 'ran');
    const outcome = await workspace.discarding(async () => workspace.discarding(async () => 'inner'));
    expect(outcome).toMatchObject({ value: { value: 'inner' } });
    if (waiting.kind === 'completed') await waiting.discard();
  });

  it('does not count if a file that must be hidden from it appears meanwhile', async () => {
    const fix = fixture({ file: '1' });
    const workspace = await fix.open();
    const visible = { key: 'no secrets', allows: (path: string) => !path.startsWith('secret') };
    let runs = 0;
    const appears = () => {
      runs += 1;
      writeFileSync(join(fix.project, `secret${runs}`), 'x');
      return Promise.resolve(runs);
    };
    expect(await workspace.discarding(appears, { visible })).toEqual({ kind: 'moved', attempts: 3 });
    expect(await workspace.discarding(() => Promise.resolve('ran'), { visible })).toMatchObject({
      kind: 'completed',
      hidden: ['secret1', 'secret2', 'secret3'],
    });
  });

  it('is over before the workspace closes', async () => {
    const fix = fixture({ file: '1' });
    const { project: projectRoot, state: stateDir, slots } = fix;
    const system = { clock: systemClock, random: systemRandom, ripgrepPath: rgPath };
    const workspace = await createWorkspace({ projectRoot, stateDir, slots, session: SESSION, ...system });
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = workspace.discarding(() => promise);
    let isClosed = false;
    const closing = workspace.close().then(() => {
      isClosed = true;
    });
    await setImmediate();
    expect(isClosed).toBe(false);
    resolve('done');
    expect(await running).toMatchObject({ kind: 'completed', value: 'done' });
    await closing;
  });
});
