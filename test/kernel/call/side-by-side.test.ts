import { expect, it } from 'vitest';
import type { ModelCall } from '../../../src/contracts/model/model.ts';
import { receiveCalls, runCalls } from '../../../src/kernel/call/run-calls.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const calls = (...named: readonly (readonly [tool: string, input: object])[]): ModelCall[] =>
  named.map(([tool, input], index) => ({ call_id: `c${index}`, tool, arguments: JSON.stringify(input) }));
const command = (name: string): readonly [string, object] => ['shell.run', { command: ['echo', name] }];
const output = (stdout: string) => ({
  results: [{ exit: { kind: 'exited', code: 0 }, stdout, stderr: '', truncated: false, duration_ms: 1 }],
});

it('reads, searches and commands without effects run at the same time, and answer in the order of the calls', async () => {
  const kernel = testKernel({ state: 'planning', files: { 'a.js': 'const a = 1\n', 'b.js': 'const b = 2\n' } });
  const begun: string[] = [];
  const last = Promise.withResolvers<void>();
  kernel.sandboxes.tools.set('shell.run', async ({ operation: { params } }) => {
    const name = (params as { commands: string[][] }).commands[0]?.[1] ?? '';
    begun.push(name);
    // The first ends only when the last has begun.
    if (name === 'last') last.resolve();
    await last.promise;
    return output(name);
  });
  const sent = calls(
    command('first'),
    ['fs.read', { path: 'a.js' }],
    ['search.grep', { pattern: 'const b' }],
    command('second'),
    ['fs.read', { path: 'b.js' }],
    command('last'),
  );
  const replies = await runCalls(kernel.context, receiveCalls(kernel.services.tools(), sent));
  expect([...begun].sort()).toEqual(['first', 'last', 'second']);
  expect(replies.map(({ call_id }) => call_id)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
  expect(replies.map(({ content }) => /first|second|last|a = 1|b\.js|b = 2/.exec(content)?.[0])).toEqual([
    'first',
    'a = 1',
    'b.js',
    'second',
    'b = 2',
    'last',
  ]);
});
