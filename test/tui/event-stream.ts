import type { EventBody, FluffyEvent } from '../../src/contracts/session/events.ts';
import { reduce } from '../../src/tui/store/reduce/reduce.ts';
import { safeLine } from '../../src/tui/store/safe-text.ts';
import { initialView } from '../../src/tui/store/view-state.ts';
import type { ViewState } from '../../src/tui/store/view-state.ts';

export const SESSION = 's_0123456789abcdefghij';
export const START_MS = 1_000_000;

/** Bodies as the kernel would number and, without a date of their own, date them. */
export function stream(bodies: readonly (EventBody & { readonly ts?: number })[], firstSeq = 1): FluffyEvent[] {
  return bodies.map((body, index) => ({
    ts: START_MS + index,
    ...body,
    session_id: SESSION,
    seq: firstSeq + index,
  }));
}

export function freshView(): ViewState {
  const view = initialView(
    { project: safeLine('/home/ada/project'), model: safeLine('replay/demo.jsonl'), mode: 'strict', theme: 'dark' },
    safeLine('starting the kernel'),
  );
  return { ...view, kernel: { kind: 'ready' } };
}

export function viewAfter(bodies: readonly EventBody[], from: ViewState = freshView()): ViewState {
  return stream(bodies).reduce(
    (view, event, index) => reduce(view, { kind: 'event', event, atMs: START_MS + index }),
    from,
  );
}

export const WRITE_DIFF = `diff --git a/src/a.js b/src/a.js
--- a/src/a.js
+++ b/src/a.js
@@ -1,2 +1,3 @@
 one
-two
+TWO
+three
`;

export const USAGE = { input_tokens: 1200, output_tokens: 300, cache_read_tokens: 0 };

export const REVIEW = {
  type: 'review.requested',
  review_id: 'r_1',
  kind: 'merge',
  risk: 'medium',
  reasons: ['Every change waits for a decision (--approve ask).'],
  message: 'Say what is wrong\n\nFluffy-Mode: strict',
  diff: WRITE_DIFF,
  sha256: 'ab'.repeat(32),
} as const satisfies EventBody;

export const FINISHED = {
  type: 'session.finished',
  status: 'committed',
  exit_code: 0,
  commit: '4f3c2d1a09b8c7d6e5f4',
  files_changed: ['src/a.js', 'test/a.test.js'],
  summary: 'Say what is wrong (commit 4f3c2d1a09)',
  duration_ms: 12_345,
  usage: USAGE,
  audit_head: null,
} as const satisfies EventBody;

/** A strict task from the first word to the commit, with a write too early. */
export const STRICT_RUN: readonly EventBody[] = [
  {
    type: 'session.started',
    project: '/home/ada/project',
    mode: 'strict',
    model: 'replay/demo.jsonl',
    tools: [],
    policy_hash: '',
    images: {},
  },
  { type: 'message.user', text: 'Say what is wrong' },
  { type: 'state.changed', from: 'idle', to: 'planning', trigger: 'user_message' },
  { type: 'text.delta', text: 'I will look ' },
  { type: 'text.delta', text: 'first.\nThen I write' },
  { type: 'text.done', text: 'I will look first.\nThen I write' },
  { type: 'usage', ...USAGE, cost_usd: 0.0123 },
  { type: 'tool.started', call_id: 'c1', tool: 'fs.read', input: { path: 'src/a.js' } },
  { type: 'tool.finished', call_id: 'c1', tool: 'fs.read', ok: true, summary: 'src/a.js: 2 lines', duration_ms: 3.4 },
  {
    type: 'tool.started',
    call_id: 'c2',
    tool: 'plan.complete',
    input: { summary: 'Shout', steps: [] },
    summary: 'Shout',
  },
  { type: 'state.changed', from: 'planning', to: 'test_writing', trigger: 'plan_completed' },
  { type: 'tool.finished', call_id: 'c2', tool: 'plan.complete', ok: true, summary: 'plan accepted', duration_ms: 12 },
  { type: 'tool.started', call_id: 'c3', tool: 'fs.write', input: { path: 'src/a.js', content: 'x' } },
  {
    type: 'tool.finished',
    call_id: 'c3',
    tool: 'fs.write',
    ok: false,
    summary: 'fs.write on src/a.js is not open in state test_writing. Write the tests first.',
    duration_ms: 1,
    error: {
      code: 'tool_unavailable',
      message: 'fs.write on src/a.js is not open in state test_writing. Write the tests first.',
      retryable: false,
    },
  },
  {
    type: 'tool.started',
    call_id: 'c4',
    tool: 'test.run',
    input: { paths: ['test/a.test.js'] },
    summary: 'test/a.test.js',
  },
  {
    type: 'test.finished',
    call_id: 'c4',
    valid: true,
    outcome: 'failed',
    passed: 1,
    failed: 1,
    skipped: 0,
    cases: [
      { file: 'test/a.test.js', name: 'old', status: 'passed', duration_ms: 1 },
      {
        file: 'test/a.test.js',
        name: 'says what is wrong',
        status: 'failed',
        duration_ms: 1,
        failure: { kind: 'assertion', message: "expected 'TWO'\n\nbut got 'two'" },
      },
    ],
  },
  { type: 'state.changed', from: 'test_writing', to: 'code_writing', trigger: 'red_confirmed' },
  {
    type: 'tool.finished',
    call_id: 'c4',
    tool: 'test.run',
    ok: true,
    summary: '1 failed, 1 passed (red confirmed)',
    duration_ms: 1712,
  },
  { type: 'tool.started', call_id: 'c5', tool: 'fs.write', input: { path: 'src/a.js', content: 'x' } },
  {
    type: 'tool.finished',
    call_id: 'c5',
    tool: 'fs.write',
    ok: true,
    summary: 'Modified src/a.js, +2 -1',
    duration_ms: 212,
    diff: WRITE_DIFF,
  },
];
