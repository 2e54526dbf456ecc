import { expect, it } from 'vitest';
import { baselineText } from '../../../src/kernel/proof/coverage/baseline-file.ts';
import { freshProject, project, scene, STAGING_DIGEST } from './commits-scene.ts';

const FILE = '.fluffy/coverage-baseline.json';
const OLD = baselineText({ version: 1, lines: null, runner: '', languages: [] });
const NEXT = baselineText({ version: 1, lines: { covered: 1, total: 2 }, runner: 'node-test', languages: [] });

freshProject();

async function prepareWith(other: { readonly digest?: string; readonly head?: string } = {}) {
  project.write(FILE, OLD);
  project.commit('Begin a baseline');
  const { commits, session, workspace, signal } = scene(['src/a.js']);
  const kept: Record<string, unknown> = {};
  const lines = { covered: 1, total: 2 };
  const coverage = {
    kind: 'measured',
    file: FILE,
    staging_digest: other.digest ?? STAGING_DIGEST,
    mode: 'strict',
    head: other.head ?? session.snapshot.base?.head ?? '',
    lines,
    baseline: null,
    next: NEXT,
    warning: null,
    locked: null,
  };
  Object.assign(session.snapshot, { coverage });
  Object.assign(session, { update: (part: object) => Object.assign(kept, part) });
  const result = await commits.prepare(session, workspace, 'Change a', signal);
  return { result, kept, commits, session, workspace, signal };
}

it('has the new baseline in its tree, its diff and its evidence', async () => {
  const { result, kept } = await prepareWith();
  if (result.kind !== 'prepared') throw new Error(JSON.stringify(result));
  expect(result.diff).toContain('+    "total": 2');
  expect(result.findings).toEqual([]);
  expect(kept).toMatchObject({
    prepared: {
      prepared: { changes: [{ path: FILE }, { path: 'src/a.js' }] },
      facts: { coverage: { lines: { covered: 1, total: 2 } }, changes: [{ path: FILE }, { path: 'src/a.js' }] },
    },
  });
});

it('is the tree on which the suite is repeated', async () => {
  const { commits, session, workspace, signal } = await prepareWith();
  expect(await commits.committable(session, workspace, signal)).toMatchObject({
    kind: 'ok',
    dirty: [],
    view: { overrides: [{ path: FILE, entry: { bytes: Buffer.from(NEXT) } }] },
  });
});

it.each([
  ['of other staged work', { digest: 'e'.repeat(64) }],
  ['on another head', { head: '2'.repeat(40) }],
])('leaves the baseline as it is where it was measured %s', async (_of, other) => {
  const { result, kept } = await prepareWith(other);
  expect(result).toMatchObject({ kind: 'prepared' });
  expect(kept).toMatchObject({ prepared: { prepared: { changes: [{ path: 'src/a.js' }] } } });
});
