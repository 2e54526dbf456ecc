import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileState } from '../../../../src/contracts/review/change-set.ts';
import type { Sha256 } from '../../../../src/contracts/ids.ts';
import type { AuditInput } from '../../../../src/contracts/audit-entry.ts';
import type { Workspace } from '../../../../src/contracts/ports/workspace.ts';
import { whyNotTypeOnly } from '../../../../src/kernel/proof/type-only/type-only-change.ts';
import type { Services } from '../../../../src/kernel/services.ts';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';
import { stripTypes } from '../../../../src/platform/system/strip-types.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

type Content = string | { readonly text: string; readonly executable: boolean } | null;
type Files = Readonly<Record<string, Content>>;

function stateOf(content: Content | undefined): FileState {
  if (content === null || content === undefined) return { kind: 'absent' };
  const { text, executable } = typeof content === 'string' ? { text: content, executable: false } : content;
  const sha256 = createHash('sha256').update(text).digest('hex') as Sha256;
  return { kind: 'file', sha256, size: text.length, executable };
}

function workspaceOf(files: Files, changes: () => object[], settings: string | null): Workspace {
  return {
    changes: () => Promise.resolve(changes()),
    read: (path: string) => {
      const state = stateOf(files[path]);
      const content = files[path];
      if (state.kind !== 'file' || content === null || content === undefined)
        return Promise.resolve({ kind: 'missing' });
      const bytes = Buffer.from(typeof content === 'string' ? content : content.text);
      return Promise.resolve({ kind: 'file', bytes, state });
    },
    grep: ({ pattern }: { pattern: string }) =>
      Promise.resolve({
        kind: 'ok',
        truncated: false,
        matches: settings !== null && new RegExp(pattern).test(settings) ? [{ path: 'tsconfig.json', line: 2 }] : [],
      }),
  } as unknown as Workspace;
}

/** A project with something staged on it; `settings` is the text of its tsconfig.json. */
function scene(project: Files, staged: Files, settings: string | null = null) {
  const changes = () =>
    Object.keys(staged).map((path) => ({ path, before: stateOf(project[path]), after: stateOf(staged[path]) }));
  const workspace = workspaceOf({ ...project, ...staged }, changes, settings);
  const closed: string[] = [];
  const records: AuditInput[] = [];
  const services = {
    options: { project_root: '/project' },
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    policy: () => policy,
    stripTypes,
    audit: { append: (entry: AuditInput) => records.push(entry) },
    workspaces: {
      scratch: () =>
        Promise.resolve({
          workspace: workspaceOf(project, () => [], settings),
          close: () => Promise.resolve(void closed.push('scratch')),
        }),
    },
  } as unknown as Services;
  return { services, workspace, closed, records };
}

const why = ({ services, workspace }: ReturnType<typeof scene>) =>
  whyNotTypeOnly(services, workspace, new AbortController().signal);

const BEFORE = 'export const limit: number = 3;\n';
const TYPES = 'export const limit: 3 = 3;\n';
const CODE = 'export const limit: number = 4;\n';

describe('what is staged', () => {
  it('is a change of types alone if every file is', async () => {
    const made = scene({ 'src/a.ts': BEFORE, 'src/b.ts': BEFORE }, { 'src/a.ts': TYPES, 'src/b.ts': TYPES });
    expect(await why(made)).toEqual([]);
    expect(made.closed).toEqual(['scratch']);
  });

  it('is no change of types if one of them is code, which is named', async () => {
    const made = scene({ 'src/a.ts': BEFORE, 'src/b.ts': BEFORE }, { 'src/a.ts': TYPES, 'src/b.ts': CODE });
    expect(await why(made)).toEqual(['src/b.ts: its behaviour changes']);
  });

  it('is no change of types if a file becomes executable', async () => {
    const made = scene({ 'src/a.ts': BEFORE }, { 'src/a.ts': { text: BEFORE, executable: true } });
    expect(await why(made)).toEqual(['src/a.ts: its executable bit changes']);
  });

  it('is no change of types if the project has changed in the meantime', async () => {
    const made = scene({ 'src/a.ts': BEFORE }, { 'src/a.ts': TYPES });
    const moved = scene({ 'src/a.ts': CODE }, {});
    Object.assign(made.services, { workspaces: moved.services.workspaces });
    expect(await why(made)).toEqual(['src/a.ts: it changed in the meantime']);
  });

  it.each([
    '{\n  "compilerOptions": { "emitDecoratorMetadata": true } }',
    '{ "dependencies": { "reflect-metadata": "1" } }',
  ])('is none where types are made into code: %s', async (settings) => {
    const made = scene({ 'src/a.ts': BEFORE }, { 'src/a.ts': TYPES }, settings);
    expect(await why(made)).toEqual(['tsconfig.json:2 names a compiler that makes code of types']);
  });
});

it('code under an exemption for types never gets as far as its tests', async () => {
  const kernel = testKernel({
    state: 'exploring',
    files: { 'src/a.d.ts': BEFORE },
    staged: { 'src/a.d.ts': CODE },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    snapshot: { exemption: { category: 'type_refactor', paths: ['src/a.d.ts'], reason: 'a type' } },
  });
  const reply = await callTool(kernel, 'test.run', {});
  expect(reply.content).toMatch(/^policy_denied: The exemption is for a change of types only/);
  expect(reply.content).toContain('src/a.d.ts: its behaviour changes');
  expect(kernel.sandboxes.testRuns).toEqual([]);
  expect(kernel.session.state).toBe('exploring');
  expect(kernel.session.snapshot.green).toBeNull();
  expect(kernel.audit.durable).toContainEqual(
    expect.objectContaining({ event_type: 'syscall', policy_decision: 'denied' }),
  );
});
