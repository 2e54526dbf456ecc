import { describe, expect, it } from 'vitest';
import type { ParsedCall } from '../../../src/contracts/tools.ts';
import { resolveTargets } from '../../../src/kernel/pipeline/resolve-targets.ts';
import { fixture } from '../../platform/fs/fixture.ts';

const FILES = {
  'real/a.txt': 'a',
  'real/inner': '-> a.txt',
  dir: '-> real',
  file: '-> real/a.txt',
  chain: '-> file',
  dangling: '-> nowhere',
  outside: '-> /etc/passwd',
};

async function targetsOf(call: ParsedCall) {
  const { project, open } = fixture(FILES);
  const outcome = await resolveTargets(call, await open(), project);
  return outcome.kind === 'ok' ? { named: outcome.targets.named, writes: outcome.targets.writes } : outcome.kind;
}

describe('a link that is deleted or moved', () => {
  it.each([
    ['file', 'file'],
    ['dir', 'dir'],
    ['dir/', 'dir'],
    ['chain', 'chain'],
    ['dangling', 'dangling'],
    ['outside', 'outside'],
    ['dir/inner', 'real/inner'],
    ['dir/../file', 'file'],
  ])('is %s itself', async (path, link) => {
    expect(await targetsOf({ tool: 'fs.delete', input: { path } })).toEqual({ named: [link], writes: [link] });
  });

  it('is itself at both ends of a move', async () => {
    const moved = await targetsOf({ tool: 'fs.move', input: { from: 'dir', to: 'dir/inner' } });
    expect(moved).toEqual({ named: ['dir', 'real/inner'], writes: ['dir', 'real/inner'] });
  });

  it('still leads nowhere outside on the way', async () => {
    expect(await targetsOf({ tool: 'fs.delete', input: { path: 'outside/x' } })).toBe('refused');
  });

  it('is followed by everything else', async () => {
    const written = await targetsOf({ tool: 'fs.write', input: { path: 'chain', content: '' } });
    expect(written).toMatchObject({ named: ['real/a.txt'] });
    expect(await targetsOf({ tool: 'fs.read', input: { path: 'outside' } })).toBe('refused');
  });
});
