import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/contracts/model/model.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const ROOT = '/project';
const SOURCE = 'export function max(a, b) {\n  return a;\n}\n';
const FIXED = 'export function max(a, b) {\n  if (b > a) return b;\n  return a;\n}\n';

/** A call as it is sent: arguments are whatever text the model wrote. */
type Sent = readonly [tool: string, given: string];

const patch = '*** Begin Patch\n*** Update File: src/max.js\n@@\n-  return a;\n+  return b;\n*** End Patch';

/** Each answer is clumsy in a way that was seen in recordings of real models. */
const ANSWERS: readonly { readonly text?: string; readonly thinks?: string; readonly calls?: readonly Sent[] }[] = [
  { thinks: 'The user wants max to be right. I should look first.' },
  {
    text: 'Let me look at several things at once. '.repeat(20),
    calls: [
      ['functions.fs_read', '```json\n{"path": "/project/src/max.js",}\n```'],
      ['read_file', '{"file_path":"src/max.js"}'],
      ['fs.list', '{}'],
      ['search.grep', String.raw`{"pattern":"max\(\w+", "path":"src"}`],
      ['fs.read', '{"path":"/home/dev/other/max.js"}'],
      ['multi_tool_use.parallel', '{"tool_uses":[]}'],
      ['fs.read', '{"path":"src/max.js"'],
    ],
  },
  { text: 'I understand the problem now.', calls: [['fs.write', '{"path":"src/max.js","content":"x"}']] },
  { calls: [['plan.complete', '{"plan":"Return the larger one","kind":"bugfix","steps":["test","fix"]}']] },
  { text: '', calls: [['apply_patch', JSON.stringify({ input: patch })]] },
  { calls: [['fs.patch', JSON.stringify({ input: patch })]] },
  {
    calls: [
      ['fs.write', '{"file_path":"test/max.test.js","content":"test(\'larger\', () => {\n});\n"}'],
      ['test.run', '{"path":"test/max.test.js"}'],
    ],
  },
  { text: 'The test fails as expected. I am done with the first part!' },
  {
    calls: [
      ['fs.edit', '{"path":"src/max.js","old_string":"     2\\t  return a;","new_string":"     2\\t  return a;"}'],
    ],
  },
  {
    calls: [
      ['fs.edit', '{"path":"src/max.js","old_str":"return a;","new_str":"if (b > a) return b;\\nreturn a;"}'],
      ['test.run', '{"coverage":true}'],
    ],
  },
  { text: 'All tests pass now, the task is complete.' },
  { calls: [['git.commit', '"{\\"message\\":\\"Return the larger number\\"}"']] },
];

function eventsOf({ text = '', thinks, calls = [] }: (typeof ANSWERS)[number], turn: number): ModelEvent[] {
  return [
    ...(thinks === undefined ? [] : [{ type: 'thought_delta' as const, text: thinks }]),
    ...(text === '' ? [] : [{ type: 'text_delta' as const, text }]),
    ...calls.flatMap(([tool, given], index): ModelEvent[] => [
      { type: 'call_start', index, call_id: `t${turn}_${index}`, tool },
      { type: 'call_delta', index, arguments_delta: given },
      { type: 'call_end', index },
    ]),
    { type: 'usage', usage: { input_tokens: 10, output_tokens: 10, cache_read_tokens: 0 } },
    { type: 'done', stop: calls.length > 0 ? 'tool_calls' : thinks === undefined ? 'end_turn' : 'thinking_only' },
  ];
}

it('a model that is clumsy in every way that was seen comes to its commit, and every refusal is short', async () => {
  const kernel = testKernel({
    state: 'planning',
    files: { 'package.json': '{}', 'src/max.js': SOURCE },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    kernelOptions: { project_root: ROOT },
    snapshot: { baseline: { kind: 'known', passed: [], failed: [], broken_files: [] } },
    answer: 'approve',
    commits: {
      prepare: () =>
        Promise.resolve({ kind: 'prepared', message: 'Return the larger number', diff: '+1\n', findings: [] }),
      merge: () => Promise.resolve({ kind: 'committed', commit: 'c'.repeat(40) }),
    },
  });
  const tested: string[] = [];
  kernel.sandboxes.runTests = (run) => {
    const source = run.files.get('src/max.js')?.text ?? '';
    tested.push(source);
    return nodeTestReport(run, { larger: source.includes('if (b > a)') });
  };
  kernel.sandboxes.turns.push(...ANSWERS.map(eventsOf));
  addUserMessage(kernel.session, { text: 'max(1, 2) is 1.' });
  await runSession(kernel.services, kernel.session, new AbortController().signal);

  expect(tested).toContain(FIXED);
  expect(kernel.eventsOf('session.finished')).toMatchObject([{ status: 'committed', exit_code: 0 }]);
  expect(kernel.sandboxes.turns).toEqual([]);
  const results = kernel.session.history().flatMap((message) => (message.role === 'tool' ? message.results : []));
  const refused = results.filter(({ ok }) => !ok).map(({ content }) => content);
  expect(refused.map((content) => content.slice(0, content.indexOf(':')))).toEqual([
    'unknown_tool',
    'path_refused',
    'unknown_tool',
    'invalid_input',
    'tool_unavailable',
    'unknown_tool',
    'tool_unavailable',
    'invalid_input',
  ]);
  expect(refused.filter((content) => content.length > 600)).toEqual([]);
});
