import { expect, it } from 'vitest';
import { planFold } from '../../../../src/platform/fs/scratch/plan-fold.ts';
import type { LayerView } from '../../../../src/platform/fs/scratch/plan-fold.ts';
import type { ScratchDirectory, ScratchNode } from '../../../../src/platform/fs/scratch/scan-scratch.ts';

const directory = (children: Readonly<Record<string, ScratchNode>>): ScratchDirectory => ({
  kind: 'directory',
  opaque: false,
  mode: 0o755,
  children: new Map(Object.entries(children)),
});
/** The project has a directory `src`, and nothing is staged. */
const view: LayerView = {
  staged: () => 'nothing',
  isDirectory: (path) => path === 'src',
  projectShows: (path) => path === 'src',
};

it('stages no directory for which nothing in it is accepted', () => {
  const file = {
    kind: 'file',
    state: { kind: 'file', sha256: '', size: 0, executable: false },
  } as unknown as ScratchNode;
  const root = directory({ src: directory({ 'a.js': file, socket: { kind: 'unfit', reason: 'it is a socket' } }) });
  const changes = [{ path: 'src/a.js', before: { kind: 'absent' }, after: { kind: 'absent' } }] as const;
  const request = { root, changes: [...changes], unfit: new Set(['src/socket']), view, token: () => 't1' };
  expect(planFold({ ...request, accepted: new Set() })).toEqual({ kind: 'planned', steps: [] });
  expect(planFold({ ...request, accepted: new Set(['src/a.js']) })).toMatchObject({
    steps: [{ kind: 'directory', path: 'src' }, { path: 'src/a.js' }],
  });
});
