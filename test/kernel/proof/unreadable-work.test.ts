import { describe, expect, it } from 'vitest';
import type { ChangeSet } from '../../../src/contracts/review/change-set.ts';
import type { Baseline } from '../../../src/contracts/session/session-facts.ts';
import { observeMutants } from '../../../src/kernel/proof/mutation/observe-mutants.ts';
import { changedTexts } from '../../../src/kernel/proof/observations/changed-texts.ts';
import { observeRemoval } from '../../../src/kernel/proof/observations/removal.ts';
import { observePlain } from '../../../src/kernel/proof/plain/observe-plain.ts';
import { observeHollow } from '../../../src/kernel/proof/stand-ins/observe-hollow.ts';
import { unnoticedTogether } from '../../../src/kernel/proof/trivial/unnoticed-together.ts';
import { observeVariants, repeatedTests } from '../../../src/kernel/proof/variants/observe-variants.ts';
import { stagedEntries } from '../../../src/kernel/proof/views/staged-entries.ts';
import { withoutSource } from '../../../src/kernel/proof/without-source.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const SOURCE = 'export function f(a) {\n  return a > 1;\n}\n';
const TEST = 'test/f.test.js';
const COMMAND = { runner: 'node-test', cwd: '', args: [] };
const BASELINE: Baseline = { kind: 'known', passed: [], failed: [], broken_files: [] };
const TEXTS = [
  { path: 'src/f.js', role: 'source', before: null, after: SOURCE },
  { path: TEST, role: 'test', before: null, after: 'x' },
] as const;

/** A session one of whose staged files grew while it was being proved: it is larger than what is read. */
function scene(large = 'src/f.js') {
  const kernel = testKernel({ staged: { 'src/f.js': SOURCE, [TEST]: 'x' }, testCommand: COMMAND });
  const read = kernel.workspace.read.bind(kernel.workspace);
  kernel.workspace.read = (path, maxBytes) =>
    path === large ? Promise.resolve({ kind: 'too-large', size: 1e9 }) : read(path, maxBytes);
  return kernel;
}

describe('work that cannot be read as it is staged', () => {
  const detail = 'src/f.js could not be read';
  const facts = {
    command: COMMAND,
    baseline: BASELINE,
    texts: TEXTS,
    sources: TEXTS.slice(0, 1),
    cases: [],
    files: [TEST],
  };

  it.each<readonly [string, (context: ReturnType<typeof scene>['context']) => Promise<unknown>, unknown]>([
    [
      'is not broken',
      (context) =>
        observeMutants(context, {
          ...facts,
          sources: [{ ...TEXTS[0] }],
          breaks: '',
          suite: { cases: [], duration_ms: 1 },
        } as never),
      { outcome: 'impossible', detail },
    ],
    ['is not run as a person runs it', (context) => observePlain(context, COMMAND), { outcome: 'impossible', detail }],
    [
      'is not tested by copies of cases',
      (context) => observeVariants(context, facts as never),
      { outcome: 'impossible', detail },
    ],
    [
      'has no case that is written twice',
      (context) => repeatedTests(context, facts as never),
      { files: [], entries: [] },
    ],
    ['is not replaced by something trivial', (context) => unnoticedTogether(context, facts as never), []],
  ])('%s', async (_what, observe, expected) => {
    const { context } = scene();
    const observed = await observe(context);
    if (Array.isArray(expected)) expect(observed).toEqual(expected);
    else expect(observed).toMatchObject(expected as object);
  });

  it('is not shown without the source where it is a test', async () => {
    const { context } = scene(TEST);
    const red = { cases: [], files: [] } as never;
    const expected = { outcome: 'impossible', detail: `${TEST} could not be read` };
    expect(await observeRemoval(context, { command: COMMAND, red, suite: {} as never })).toMatchObject(expected);
  });

  it('is named by its path', async () => {
    const { services, workspace } = scene();
    const changes = await workspace.changes();
    expect(await stagedEntries(workspace, changes)).toEqual({ kind: 'failed', path: 'src/f.js' });
    const kept = { changes: changes.filter(({ path }) => path === 'src/f.js'), texts: [] };
    expect(await withoutSource(services, workspace, kept)).toEqual({ kind: 'failed', path: 'src/f.js' });
  });

  it('is said to be unread among the texts that have changed', async () => {
    const { workspace } = scene();
    const work = { changes: await workspace.changes(), mixed: new Map() };
    const project = testKernel({}).workspace;
    expect(await changedTexts(workspace, project, work as never, (path) => path === TEST)).toMatchObject({
      texts: [{ path: TEST, role: 'test' }],
      unread: [{ path: 'src/f.js', why: 'it is not text, or too large' }],
    });
  });
});

it('the text of a deleted source is kept, and the text of a deleted test is not', async () => {
  const files = { 'src/f.js': 'old', 'test/f.test.js': 'test' };
  const project = testKernel({ files }).workspace;
  const gone = Object.keys(files).map((path) => ({ path, before: { kind: 'file' }, after: { kind: 'absent' } }));
  const work = { changes: gone, mixed: new Map() };
  const isTest = (path: string) => path.startsWith('test/');
  expect(await changedTexts(testKernel({}).workspace, project, work as never, isTest)).toEqual({
    texts: [],
    unread: [],
    deleted: ['old'],
  });
});

it('a directory in place of a file cannot be shown in a view', async () => {
  const { workspace } = testKernel({});
  const entry = { path: 'a', before: { kind: 'file' }, after: { kind: 'directory' } };
  expect(await stagedEntries(workspace, [entry] as unknown as ChangeSet)).toEqual({ kind: 'failed', path: 'a' });
  const made = { path: 'a', before: { kind: 'absent' }, after: { kind: 'directory' } };
  expect(await stagedEntries(workspace, [made] as unknown as ChangeSet)).toEqual({ kind: 'read', entries: [] });
});

it('no function is emptied where no case is new', async () => {
  const { context } = testKernel({ testCommand: COMMAND });
  const suite = { outcome: 'passed', cases: [], files: [], requested: [], duration_ms: 1 };
  const facts = { command: COMMAND, baseline: BASELINE, suite, files: [TEST], sources: [] };
  expect(await observeHollow(context, facts as never)).toEqual({
    outcome: 'impossible',
    detail: expect.any(String) as string,
  });
});
