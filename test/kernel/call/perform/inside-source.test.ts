import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../../../src/contracts/session/workflow-states.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const TESTS =
  '\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n';
const MORE = TESTS.replace('3);', '3);\n        assert_eq!(super::add(0, 2), 2);');

async function write(
  state: SessionState,
  call: { readonly tool: string; readonly input: object },
  runner = 'cargo-test',
) {
  const kernel = testKernel({
    state,
    files: { 'src/lib.rs': `${ADD}${TESTS}` },
    testCommand: { runner, cwd: '', args: [] },
  });
  const { ok, content } = await callTool(kernel, call.tool, call.input);
  return ok ? 'written' : content;
}

const text = (content: string, path = 'src/lib.rs') => ({ tool: 'fs.write', input: { path, content } });
const edit = (old_string: string, new_string: string) => ({
  tool: 'fs.edit',
  input: { path: 'src/lib.rs', old_string, new_string },
});
const patch = (body: string) => ({ tool: 'fs.patch', input: { patch: `*** Begin Patch\n${body}\n*** End Patch\n` } });

describe('while tests are written, of a source in Rust', () => {
  it.each([
    ['its tests can be written', text(`${ADD}${MORE}`)],
    ['its tests can be edited', edit('super::add(1, 2), 3', 'super::add(2, 2), 4')],
    ['its tests can be patched', patch('*** Update File: src/lib.rs\n@@\n-    fn adds() {\n+    fn sums() {')],
    ['a module can be declared', text(`mod more;\n${ADD}${TESTS}`)],
    ['a new file with tests alone can be written', text(TESTS, 'src/more.rs')],
  ])('%s', async (_, call) => {
    expect(await write('test_writing', call)).toBe('written');
    expect(await write('retroactive_testing', call)).toBe('written');
  });

  it.each([
    ['a function', text(`${ADD.replace('a + b', 'b + a')}${MORE}`), /only the part under #\[cfg\(test\)\]/],
    ['a function, by an edit', edit('a + b', 'b + a'), /only the part under/],
    ['a new file with source', text(`${ADD}${TESTS}`, 'src/more.rs'), /only the part under/],
    ['the mark of the tests', edit('#[cfg(test)]\n', ''), /only the part under/],
    ['the mark of the whole file', text(`#![cfg(test)]\n${ADD}${TESTS}`), /only the part under/],
    ['anything, with syntax errors', text(`${ADD}${TESTS}fn (`), /syntax errors/],
    ['the whole file, away', patch('*** Delete File: src/lib.rs'), /Only tests can be written now/],
    [
      'its place',
      patch('*** Update File: src/lib.rs\n*** Move to: src/a.rs\n@@\n-    fn adds() {\n+    fn sums() {'),
      /Only tests can be written now/,
    ],
    ['the whole file, by another tool', { tool: 'fs.delete', input: { path: 'src/lib.rs' } }, /is source code/],
  ])('%s cannot be changed', async (_, call, why) => {
    expect(await write('test_writing', call)).toMatch(why);
  });

  it('nothing can be written where the runner has no tests in sources', async () => {
    expect(await write('test_writing', text(`${ADD}${MORE}`), 'node-test')).toMatch(/is source code/);
  });
});

describe('while the source is written, of a source in Rust', () => {
  it('all but its tests can be changed', async () => {
    expect(await write('code_writing', edit('a + b', 'b + a'))).toBe('written');
    expect(await write('code_writing', text(`fn other() {}\n${ADD}\n${TESTS}`))).toBe('written');
  });

  it.each([
    ['a case', edit('super::add(1, 2), 3', 'super::add(1, 2), 4')],
    ['all of its tests, away', text(ADD)],
    ['the tests of a new file', text(`${ADD}${TESTS}`, 'src/more.rs')],
  ])('%s cannot be changed', async (_, call) => {
    expect(await write('code_writing', call)).toMatch(/tests in src\/\w+\.rs are frozen/);
  });
});
