import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../../src/contracts/model/model.ts';
import { conversationBytes } from '../../../src/kernel/context/token-estimate.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { addUserMessage, queueUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { countingModel } from '../../support/kernel/counting-model.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const SOAK = process.env['FLUFFY_SOAK'] === '1';
const TURNS = SOAK ? 1_000 : 90;
const WINDOW = SOAK ? 128_000 : 40_000;
const FILES = SOAK ? 500 : 60;
const CALLS = 5;

const TASK = 'Add an LRU cache. FACT-TASK';
const PLAN = 'A map and a doubly linked list. FACT-PLAN';
const PIN = 'Never use classes. FACT-PIN';
const TEST_FILE = 'test/lru.test.js';
const SOURCE_FILE = 'src/lru.js';

type Call = { readonly tool: string; readonly input: unknown };

/** A person's project: small files and large ones, long lines, several scripts. */
function projectFiles(): Record<string, string> {
  const body = (index: number): string =>
    Array.from(
      { length: 20 + ((index * 37) % 260) },
      (_, line) => `export const value_${index}_${line} = compute(${line * index}, 'größe ${line}'); // 漢字 ${index}`,
    ).join('\n');
  return {
    'package.json': '{}',
    ...Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`lib/part${index}.js`, body(index)])),
  };
}

/** Works in circles for most of its turns: reads, searches, edits its source, runs tests that fail, and is wordy about it. */
function answerAt(turn: number): ModelEvent[] {
  const read = (file: number): Call => ({ tool: 'fs.read', input: { path: `lib/part${file % FILES}.js` } });
  const words = `Step ${turn}. ${'I will look at what is there before I change anything. '.repeat(1 + (turn % 4))}`;
  const say = (...calls: readonly Call[]): ModelEvent[] => numbered(turn, words, calls);
  if (turn === 6) return say({ tool: 'plan.complete', input: { summary: PLAN, steps: ['red', 'green'] } });
  if (turn === 8) return say({ tool: 'fs.write', input: { path: SOURCE_FILE, content: 'too early' } });
  if (turn === 9) return say({ tool: 'fs.write', input: { path: TEST_FILE, content: 'right test' } });
  if (turn === 10 || turn % 25 === 24) return say({ tool: 'test.run', input: {} });
  if (turn === TURNS - 4) return say({ tool: 'fs.write', input: { path: SOURCE_FILE, content: 'right' } });
  if (turn === TURNS - 3) return say({ tool: 'test.run', input: {} });
  if (turn >= TURNS - 2) return say({ tool: 'git.commit', input: { message: 'Add an LRU cache' } });
  const others = Array.from({ length: CALLS - 1 }, (_, index) => read(turn * 7 + index * 13));
  if (turn > 11 && turn % 10 === 2) {
    return say(...others, { tool: 'fs.write', input: { path: SOURCE_FILE, content: `// FACT-EDIT attempt ${turn}` } });
  }
  return say(...others, { tool: 'search.grep', input: { pattern: `value_${turn % FILES}_1` } });
}

/** An answer whose call ids are not those of another. */
function numbered(turn: number, text: string, calls: readonly Call[]): ModelEvent[] {
  return modelAnswer(text, calls).map((event) =>
    event.type === 'call_start' ? { ...event, call_id: `t${turn}_${event.call_id}` } : event,
  );
}

describe(`a session of ${TURNS} turns and ${TURNS * CALLS} calls over ${FILES} files with a window of ${WINDOW} tokens`, () => {
  it('ends with a commit, every request under the window and none without what the kernel knows', async () => {
    const kernel = testKernel({
      state: 'planning',
      files: projectFiles(),
      testCommand: { runner: 'node-test', cwd: '', args: [] },
      options: { window_tokens: WINDOW, max_output_tokens: 8_000 },
      snapshot: { task: TASK, baseline: { kind: 'known', passed: [], failed: [], broken_files: [] } },
      answer: 'approve',
      commits: {
        prepare: () => Promise.resolve({ kind: 'prepared', message: 'Add an LRU cache', diff: '+1\n', findings: [] }),
        merge: () => Promise.resolve({ kind: 'committed', commit: 'c'.repeat(40) }),
      },
    });
    const { session } = kernel;
    kernel.sandboxes.runTests = (run) => nodeTestReport(run, { evicts: run.files.get(SOURCE_FILE)?.text === 'right' });

    const facts = new Set([TASK]);
    const missing: string[] = [];
    let largest = 0;
    let turn = -1;
    const check = (request: ModelRequest): void => {
      const text = JSON.stringify(request.messages);
      const state = [...text.matchAll(/Mode: strict\. State: (\w+)/g)].at(-1)?.[1];
      const wanted = [...facts, ...(session.snapshot.red === null ? [] : ['evicts'])];
      for (const fact of wanted) if (!text.includes(fact)) missing.push(`${turn}: ${fact}`);
      if (state !== session.state) missing.push(`${turn}: state ${session.state}, not ${state ?? 'none'}`);
      largest = Math.max(largest, conversationBytes(session.messages));
    };
    const learn = (): void => {
      if (turn === 3) {
        session.update({ pins: [PIN] });
        session.push({ role: 'user', text: PIN, author: 'kernel' });
        facts.add(PIN);
      }
      if (turn === 6) facts.add(PLAN);
      if (turn === 8) facts.add('it can be written once test.run has seen a new test fail');
      if (turn === 9) facts.add(TEST_FILE);
      if (turn > 11 && turn % 10 === 2 && turn < TURNS - 4) {
        for (const fact of facts) if (fact.startsWith('// FACT-EDIT')) facts.delete(fact);
        facts.add(`// FACT-EDIT attempt ${turn}`);
      }
      if (turn % 40 === 5) {
        const said = `Mind this. FACT-USER-${turn}`;
        queueUserMessage(session, { text: said });
        facts.add(said);
      }
    };
    const model = countingModel({
      windowTokens: WINDOW,
      answer: (request) => {
        turn += 1;
        check(request);
        learn();
        return answerAt(turn);
      },
    });
    kernel.sandboxes.chat = model.chat;
    addUserMessage(session, { text: TASK });
    await runSession(kernel.services, session, new AbortController().signal);

    expect(missing).toEqual([]);
    expect(kernel.eventsOf('session.finished')).toMatchObject([{ status: 'committed', exit_code: 0 }]);
    expect(model.requests.filter(({ refused }) => refused)).toEqual([]);
    expect(kernel.eventsOf('context.compacted').length).toBeGreaterThan(SOAK ? 10 : 2);
    for (const { before_tokens, after_tokens } of kernel.eventsOf('context.compacted')) {
      expect(after_tokens).toBeLessThan(before_tokens * 0.75);
    }
    expect(turn).toBeGreaterThanOrEqual(TURNS - 3);
    // What the kernel holds of the conversation does not grow with it.
    expect(largest).toBeLessThan(WINDOW * 4 * 2.5);
    expect(session.history().length).toBeGreaterThan(TURNS * 2);
  }, 600_000);
});
