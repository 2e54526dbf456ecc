import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SandboxTemplate } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import type { Priority } from '../../../src/contracts/ports/admission.ts';
import { chooseNext, effectivePriority, hasRoom, runningTasks } from '../../../src/kernel/scheduler/choose-next.ts';
import { decidePreemption } from '../../../src/kernel/scheduler/decide-preemption.ts';
import { emptyQueue, enqueue, finish, forget, pause, start } from '../../../src/kernel/scheduler/task-queue.ts';
import type { TaskQueue } from '../../../src/kernel/scheduler/task-queue.ts';
import type { TaskSpec } from '../../../src/kernel/scheduler/task.ts';

const limits = {
  globalMax: 4,
  perTemplate: { 'ai-provider': 2, 'code-executor': 2, 'policy-sandbox': 1 },
  ageThresholdMs: 1000,
} as const;

const spec = (id: string, more: Partial<TaskSpec> = {}): TaskSpec => ({
  id,
  type: 'tool_run',
  priority: 3,
  template: 'code-executor',
  dependencies: [],
  preemptibleWithinMs: 1000,
  ...more,
});

function queueOf(specs: readonly TaskSpec[], nowMs = 0): TaskQueue {
  return specs.reduce((queue, each) => {
    const outcome = enqueue(queue, each, nowMs);
    if (outcome.kind === 'rejected') throw new Error(outcome.reason);
    return outcome.queue;
  }, emptyQueue);
}

const startAll = (queue: TaskQueue, nowMs: number): TaskQueue =>
  chooseNext(queue, limits, nowMs).reduce((next, task) => start(next, task.id, nowMs), queue);

const ids = (queue: TaskQueue, nowMs = 0): string[] => chooseNext(queue, limits, nowMs).map((task) => task.id);
const stateOf = (queue: TaskQueue, id: string) => queue.tasks.get(id)?.state;

describe('what runs next', () => {
  test('the most urgent, and of equals the first that came', () => {
    const queue = queueOf([
      spec('late', { priority: 4, template: 'ai-provider' }),
      spec('b', { template: 'ai-provider' }),
      spec('a', { priority: 1 }),
      spec('c'),
    ]);
    expect(ids(queue)).toEqual(['a', 'b', 'c', 'late']);
  });

  test('no more than the template has room for, and others pass by', () => {
    const queue = queueOf([spec('a'), spec('b'), spec('c'), spec('p', { priority: 5, template: 'ai-provider' })]);
    expect(ids(queue)).toEqual(['a', 'b', 'p']);
  });

  test('no more than there is room for in all', () => {
    const templates: SandboxTemplate[] = [
      'ai-provider',
      'code-executor',
      'ai-provider',
      'code-executor',
      'policy-sandbox',
    ];
    expect(ids(queueOf(templates.map((template, i) => spec(`t${i}`, { template }))))).toHaveLength(4);
  });

  test('waiting makes more urgent, a level each threshold, never past 2', () => {
    const task = (priority: Priority) => queueOf([spec('a', { priority })]).tasks.get('a')!;
    expect([0, 999, 1000, 2500, 60_000].map((now) => effectivePriority(task(5), 1000, now))).toEqual([5, 5, 4, 3, 2]);
    expect(effectivePriority(task(2), 1000, 60_000)).toBe(2);
    expect(effectivePriority(task(1), 1000, 60_000)).toBe(1);
  });

  test('an old idle task goes before a new ordinary one, but not before the system', () => {
    let queue = queueOf([spec('old', { priority: 5 })]);
    for (const each of [spec('new'), spec('system', { priority: 1 })]) {
      const outcome = enqueue(queue, each, 5000);
      if (outcome.kind === 'enqueued') queue = outcome.queue;
    }
    expect(ids(queue, 5000)).toEqual(['system', 'old']);
  });

  test('never exceeds a limit, never idles while something fits, and runs everything in the end', () => {
    const anySpec = fc.record({
      priority: fc.constantFrom<Priority>(1, 2, 3, 4, 5),
      template: fc.constantFrom<SandboxTemplate>('ai-provider', 'code-executor', 'policy-sandbox', 'integration-test'),
      after: fc.array(fc.nat(20), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(anySpec, { maxLength: 20 }), (wanted) => {
        const specs = wanted.map(({ priority, template, after }, i) =>
          spec(`t${i}`, { priority, template, dependencies: after.filter((n) => n < i).map((n) => `t${n}`) }),
        );
        let queue = queueOf(specs);
        for (let now = 0; now < 1000; now += 1) {
          queue = startAll(queue, now);
          const running = runningTasks(queue);
          expect(running.length).toBeLessThanOrEqual(4);
          for (const [template, max] of Object.entries(limits.perTemplate)) {
            expect(running.filter((task) => task.template === template).length).toBeLessThanOrEqual(max);
          }
          for (const task of queue.tasks.values()) {
            if (task.state.kind === 'queued') expect(hasRoom(running, task.template, limits)).toBe(false);
          }
          const [first] = running;
          if (first === undefined) break;
          queue = finish(queue, first.id, { kind: 'completed' });
        }
        expect([...queue.tasks.values()].every((task) => task.state.kind === 'completed')).toBe(true);
      }),
    );
  });
});

describe('dependencies', () => {
  const chain = () =>
    queueOf([spec('a'), spec('b', { dependencies: ['a'] }), spec('c', { dependencies: ['b'] }), spec('d')]);

  test('are waited for', () => {
    expect(ids(chain())).toEqual(['a', 'd']);
    expect(ids(finish(chain(), 'a', { kind: 'completed' }))).toEqual(['b', 'd']);
  });

  test.each([{ kind: 'failed', reason: 'x' } as const, { kind: 'cancelled' } as const])(
    'that end as $kind take everything with them that needs them',
    (outcome) => {
      const queue = finish(chain(), 'a', outcome);
      expect(stateOf(queue, 'b')).toEqual({ kind: 'failed', reason: 'dependency failed: a' });
      expect(stateOf(queue, 'c')).toEqual({ kind: 'failed', reason: 'dependency failed: b' });
      expect(stateOf(queue, 'd')).toEqual({ kind: 'queued' });
    },
  );

  test('that have failed before fail a task from the start', () => {
    const queue = finish(chain(), 'd', { kind: 'failed', reason: 'x' });
    const outcome = enqueue(queue, spec('e', { dependencies: ['d'] }), 0);
    expect(outcome.kind === 'enqueued' && stateOf(outcome.queue, 'e')).toEqual({
      kind: 'failed',
      reason: 'dependency failed: d',
    });
  });

  test('must be known, and ids are given once', () => {
    expect(enqueue(chain(), spec('x', { dependencies: ['none'] }), 0).kind).toBe('rejected');
    expect(enqueue(chain(), spec('a'), 0).kind).toBe('rejected');
    expect(enqueue(chain(), spec('x', { dependencies: ['x'] }), 0).kind).toBe('rejected');
  });

  test('are kept as long as somebody waits for them', () => {
    const queue = finish(chain(), 'a', { kind: 'completed' });
    expect(forget(queue, 'a').tasks.has('a')).toBe(true);
    const done = finish(finish(queue, 'b', { kind: 'completed' }), 'c', { kind: 'completed' });
    expect(forget(done, 'a').tasks.has('a')).toBe(false);
    expect(forget(done, 'd').tasks.has('d')).toBe(true);
  });

  test('what has ended stays as it ended', () => {
    const queue = finish(finish(chain(), 'a', { kind: 'completed' }), 'a', { kind: 'failed', reason: 'late' });
    expect(stateOf(queue, 'a')).toEqual({ kind: 'completed' });
    expect(stateOf(start(queue, 'a', 5), 'a')).toEqual({ kind: 'completed' });
  });
});

describe('making room for something more urgent', () => {
  const full = (now = 0) => startAll(queueOf([spec('a', { priority: 4 }), spec('b', { priority: 3 })]), now);
  const withUrgent = (queue: TaskQueue, more: Partial<TaskSpec> = {}, now = 100): TaskQueue => {
    const outcome = enqueue(queue, spec('urgent', { priority: 1, ...more }), now);
    if (outcome.kind === 'rejected') throw new Error(outcome.reason);
    return outcome.queue;
  };

  test('pauses the least urgent', () => {
    expect(decidePreemption(withUrgent(full()), limits, 100, 0.5)).toEqual({ kind: 'pause', task: 'a' });
  });

  test('ends it when memory is scarce', () => {
    expect(decidePreemption(withUrgent(full()), limits, 100, 0.81)).toEqual({ kind: 'destroy', task: 'a' });
  });

  test('waits for one that is nearly done', () => {
    expect(decidePreemption(withUrgent(full()), limits, 801, 0.9)).toEqual({ kind: 'wait', task: 'a' });
    expect(decidePreemption(withUrgent(full()), limits, 800, 0.5)).toEqual({ kind: 'pause', task: 'a' });
  });

  test('not when there is room', () => {
    const queue = startAll(queueOf([spec('a', { priority: 4 })]), 0);
    expect(decidePreemption(withUrgent(queue), limits, 100, 0.5)).toEqual({ kind: 'none' });
  });

  test('not for an equal, nor for one that has only grown old', () => {
    expect(decidePreemption(withUrgent(full(), { priority: 4 }), limits, 100, 0.5)).toEqual({ kind: 'none' });
    expect(decidePreemption(withUrgent(full(), { priority: 5 }), limits, 100_000, 0.5)).toEqual({ kind: 'none' });
  });

  test('not by taking a place that would not help', () => {
    expect(decidePreemption(withUrgent(full(), { template: 'ai-provider' }), limits, 100, 0.5)).toEqual({
      kind: 'none',
    });
    const providers = startAll(
      queueOf([
        spec('p', { priority: 5, template: 'ai-provider' }),
        spec('q', { template: 'ai-provider' }),
        spec('a'),
        spec('b'),
      ]),
      0,
    );
    expect(decidePreemption(withUrgent(providers), limits, 100, 0.5)).toEqual({ kind: 'pause', task: 'b' });
  });

  test('never one that cannot be interrupted', () => {
    const queue = startAll(
      queueOf([
        spec('a', { priority: 5, preemptibleWithinMs: null }),
        spec('b', { priority: 5, preemptibleWithinMs: null }),
      ]),
      0,
    );
    expect(decidePreemption(withUrgent(queue), limits, 100, 0.5)).toEqual({ kind: 'none' });
  });

  test('what was paused goes on when there is room, its time counted on', () => {
    let queue = pause(withUrgent(full()), 'a', 500);
    queue = startAll(queue, 500);
    expect(stateOf(queue, 'urgent')).toEqual({ kind: 'running', sinceMs: 500 });
    expect(stateOf(queue, 'a')).toEqual({ kind: 'paused', ranMs: 500 });
    queue = startAll(finish(queue, 'urgent', { kind: 'completed' }), 900);
    expect(stateOf(queue, 'a')).toEqual({ kind: 'running', sinceMs: 400 });
  });
});
