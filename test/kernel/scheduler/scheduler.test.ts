import { describe, expect, test } from 'vitest';
import type { Preemption } from '../../../src/contracts/ports/admission.ts';
import { Scheduler } from '../../../src/kernel/scheduler/index.ts';
import type { TaskSpec } from '../../../src/kernel/scheduler/index.ts';

function makeScheduler(memoryUsage = 0) {
  const clock = { ms: 0 };
  const scheduler = new Scheduler({
    limits: { globalMax: 2, perTemplate: { 'code-executor': 1 }, ageThresholdMs: 1000 },
    clock: {
      nowMs: () => clock.ms,
      monotonicMs: () => clock.ms,
      sleep: () => Promise.reject(new Error('never sleeps')),
    },
    memoryUsage: () => memoryUsage,
  });
  return { scheduler, clock };
}

const spec = (id: string, more: Partial<TaskSpec> = {}): TaskSpec => ({
  id,
  type: 'tool_run',
  priority: 3,
  template: 'code-executor',
  dependencies: [],
  preemptibleWithinMs: null,
  ...more,
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('places', () => {
  test('are given in order and one after another', async () => {
    const { scheduler } = makeScheduler();
    const order: string[] = [];
    const enter = (name: string, priority: 1 | 3) =>
      scheduler.enter({ template: 'code-executor', priority }).then((leave) => {
        order.push(name);
        return leave;
      });
    const first = await enter('first', 3);
    const [second, third] = [enter('second', 3), enter('urgent', 1)];
    await turn();
    expect(order).toEqual(['first']);
    first();
    first();
    (await third)();
    (await second)();
    expect(order).toEqual(['first', 'urgent', 'second']);
  });

  test('are not taken by whoever gave up waiting', async () => {
    const { scheduler } = makeScheduler();
    const leave = await scheduler.enter({ template: 'code-executor', priority: 3 });
    const controller = new AbortController();
    const waiting = scheduler.enter({ template: 'code-executor', priority: 3, signal: controller.signal });
    const after = scheduler.enter({ template: 'code-executor', priority: 3 });
    controller.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    leave();
    (await after)();
    await expect(
      scheduler.enter({ template: 'code-executor', priority: 3, signal: controller.signal }),
    ).rejects.toThrow('gave up');
  });
});

describe('a place is taken away', () => {
  function victim(scheduler: Scheduler, log: string[], fails: Partial<Record<keyof Preemption, true>> = {}) {
    const does = (name: 'pause' | 'resume' | 'destroy', effect?: () => void) => async () => {
      log.push(name);
      if (fails[name] === true) throw new Error('cannot');
      effect?.();
    };
    let leave: () => void = () => undefined;
    const entered = scheduler.enter({
      template: 'code-executor',
      priority: 5,
      preemption: {
        maxDurationMs: 1000,
        pause: does('pause'),
        resume: does('resume'),
        destroy: does('destroy', () => leave()),
      },
    });
    return entered.then((given) => {
      leave = given;
      return given;
    });
  }

  test('and given back: paused, then resumed', async () => {
    const { scheduler } = makeScheduler();
    const log: string[] = [];
    const leave = await victim(scheduler, log);
    const urgent = await scheduler.enter({ template: 'code-executor', priority: 1 });
    expect(log).toEqual(['pause']);
    urgent();
    await turn();
    expect(log).toEqual(['pause', 'resume']);
    leave();
  });

  test('for good when memory is scarce', async () => {
    const { scheduler } = makeScheduler(0.9);
    const log: string[] = [];
    await victim(scheduler, log);
    (await scheduler.enter({ template: 'code-executor', priority: 1 }))();
    expect(log).toEqual(['destroy']);
  });

  test('not when it cannot be: the urgent one waits, and nothing spins', async () => {
    const { scheduler } = makeScheduler();
    const log: string[] = [];
    const leave = await victim(scheduler, log, { pause: true });
    const urgent = scheduler.enter({ template: 'code-executor', priority: 1 });
    await turn();
    await turn();
    expect(log).toEqual(['pause']);
    leave();
    (await urgent)();
  });

  test('and lost when it cannot go on', async () => {
    const { scheduler } = makeScheduler();
    const log: string[] = [];
    await victim(scheduler, log, { resume: true });
    (await scheduler.enter({ template: 'code-executor', priority: 1 }))();
    await turn();
    expect(log).toEqual(['pause', 'resume', 'destroy']);
    (await scheduler.enter({ template: 'code-executor', priority: 3 }))();
  });
});

describe('tasks', () => {
  test('run after what they depend on', async () => {
    const { scheduler } = makeScheduler();
    const order: string[] = [];
    const work = (name: string) => async () => {
      await turn();
      order.push(name);
      return name;
    };
    const outcomes = await Promise.all([
      scheduler.run(spec('red'), work('red')),
      scheduler.run(spec('code', { priority: 1, dependencies: ['red'] }), work('code')),
      scheduler.run(spec('other', { priority: 4 }), work('other')),
    ]);
    expect(order).toEqual(['red', 'code', 'other']);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['completed', 'completed', 'completed']);
  });

  test('fail with what they depend on, and nothing is tried again', async () => {
    const { scheduler } = makeScheduler();
    let ran = 0;
    const [first, second, third] = await Promise.all([
      scheduler.run(spec('a'), async () => {
        ran += 1;
        throw new Error('broken');
      }),
      scheduler.run(spec('b', { dependencies: ['a'] }), async () => (ran += 1)),
      scheduler.run(spec('c', { dependencies: ['b'] }), async () => (ran += 1)),
    ]);
    expect(first).toMatchObject({ kind: 'failed', reason: 'broken' });
    expect(second).toEqual({ kind: 'failed', reason: 'dependency failed: a' });
    expect(third).toEqual({ kind: 'failed', reason: 'dependency failed: b' });
    expect(ran).toBe(1);
  });

  test('are cancelled before they start, and keep their place until they have wound down', async () => {
    const { scheduler } = makeScheduler();
    const controller = new AbortController();
    const wound = Promise.withResolvers<void>();
    const running = scheduler.run(spec('a'), () => wound.promise, controller.signal);
    const waiting = scheduler.run(spec('b'), async () => 'never', controller.signal);
    const dependent = scheduler.run(spec('c', { dependencies: ['a'] }), async () => 'never');
    let entered = false;
    const place = scheduler.enter({ template: 'code-executor', priority: 3 }).then((leave) => {
      entered = true;
      leave();
    });
    controller.abort();
    expect(await waiting).toEqual({ kind: 'cancelled' });
    await turn();
    expect(entered).toBe(false);
    wound.resolve();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(await dependent).toMatchObject({ kind: 'failed' });
    await place;
  });

  test('are refused when they depend on nothing known', () => {
    const { scheduler } = makeScheduler();
    expect(() => scheduler.run(spec('a', { dependencies: ['none'] }), async () => 1)).toThrow(/not known/);
  });
});
