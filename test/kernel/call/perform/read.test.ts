import { describe, expect, it } from 'vitest';
import { fixture } from '../../../platform/fs/fixture.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { policyOf } from '../../../support/kernel/policies.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const POLICY = policyOf(`capabilities:
  - { name: all, match: { syscall: [fs.read, fs.list, fs.exists, search.grep, search.glob] }, action: allow }
  - { name: secret, match: { syscall: fs.read, path_glob: [.env] }, action: deny }`);

const FILES = { 'src/a.ts': 'needle\n', '.env': 'needle=secret\n', link: '-> src' };

async function call(tool: string, input: object) {
  const workspace = await fixture(FILES).open();
  return callTool(testKernel({ policy: POLICY, workspace }), tool, input);
}

describe('a read that names no file', () => {
  it.each([
    ['search.grep', { pattern: 'needle' }, 'src/a.ts\n  1: needle'],
    ['search.glob', { pattern: '**/.env' }, 'No file matches "**/.env".'],
  ])('%s leaves out the files that the model may not read', async (tool, input, content) => {
    const reply = await call(tool, input);
    expect(reply).toMatchObject({ ok: true, content: expect.stringContaining(content) as unknown });
    expect(reply.content).not.toContain('secret');
  });
});

describe('a path that is a link', () => {
  it.each([
    ['fs.exists', '"link/a.ts" exists and is a file, at "src/a.ts".'],
    ['fs.read', '     1\tneedle'],
  ])('is read where it leads to, and %s says so', async (tool, content) => {
    expect(await call(tool, { path: 'link/a.ts' })).toMatchObject({ ok: true, content });
  });

  it('is refused when it leads out of the project', async () => {
    expect((await call('fs.exists', { path: '../x' })).content).toMatch(/^path_refused: \.\.\/x: /);
  });
});
