import { AsyncResource } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { strictEqual } from 'node:assert';
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { run, test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { canaryName } from '../canary-name.ts';
import { lcovOf } from '../coverage/lcov.ts';
import { lookOrdinary } from '../look-ordinary.ts';
import { loadFile, runsInProcess, takeResults } from './node-test-harness.ts';
import { NodeWatch } from './node-watch.ts';
import { V8Coverage } from '../coverage/v8-coverage.ts';

/** The description of the run of one test file, for its process. */
export interface FileJob {
  readonly kind: 'file';
  readonly file: string;
  readonly index: number;
  readonly canary: string;
  /** Begins each line that counts; code under test could write to the same descriptor. */
  readonly token: string;
  readonly options: readonly string[];
  readonly timeoutMs: number | null;
  readonly globalSetup: string | null;
  readonly worker: string;
  /** Sources of which the lines that run are reported. */
  readonly cover: readonly string[];
}

interface TestEvent {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly skip?: unknown;
  readonly todo?: unknown;
  readonly expectFailure?: unknown;
  readonly details?: {
    readonly type?: string;
    readonly duration_ms?: number;
    readonly error?: { readonly failureType?: string; readonly message?: string; readonly cause?: unknown };
  };
}

type Kind = 'pass' | 'fail';
interface ResultStream {
  emit: (type: string, ...data: unknown[]) => boolean;
}

export const REPORT_DESCRIPTOR = 3;
const OWN_URL = import.meta.url;
const OWN_FILE = fileURLToPath(OWN_URL);
const MAX_TEXT = 4000;
/** Each canary is there twice: under a name that any test could have, and under one of the file's own names. */
const ARRANGEMENTS = 2;
const SUITE_OWN_FAILURES = new Set(['hookFailed', 'testTimeoutFailure', 'cancelledByParent']);

// Taken before any code of the project runs.
const write = writeSync;
const stringify = JSON.stringify;
const { apply, defineProperty, getPrototypeOf } = Reflect;
const later = queueMicrotask;
const exit = process.exit.bind(process);

/**
 * Runs one test file in this process and reports its cases over a descriptor of its own. Events are taken from the stream of results by a member that
 * nothing can replace, before a patched prototype would see them. The canaries are registered once the file is loaded, and run after its tests.
 */
export class NodeTestFile {
  readonly #job: FileJob;
  readonly #watch = new NodeWatch();
  readonly #coverage: V8Coverage;
  /** Whoever is in here is in no test: what it registers is at the top. */
  readonly #outside = new AsyncResource('TestFile');
  readonly #names: string[] = [];
  readonly #own = new Set<string>();
  readonly #held: Record<Kind, boolean[]> = { pass: [], fail: [] };
  readonly #kinds: Kind[] = [];
  #loadError: { readonly error: unknown } | null = null;
  #registered = false;
  #timedOut = false;

  constructor(job: FileJob) {
    this.#job = job;
    this.#coverage = new V8Coverage(job.cover);
  }

  start(): void {
    const { file, options, timeoutMs, globalSetup, worker } = this.#job;
    lookOrdinary(options, [file]);
    if (!runsInProcess) {
      process.env['NODE_TEST_WORKER_ID'] = worker;
      void this.#startOlder(file);
      return;
    }
    run({
      files: [file],
      isolation: 'none',
      ...(timeoutMs === null ? {} : { timeout: timeoutMs }),
      ...(globalSetup === null ? {} : { globalSetupPath: resolve(globalSetup) }),
      setup: (stream) => this.#listen(stream as unknown as ResultStream),
    });
    process.env['NODE_TEST_WORKER_ID'] = worker;
  }

  /** The stream of an older Node has no summary: what comes last is the plan of all. */
  async #startOlder(file: string): Promise<void> {
    const prototype = takeResults((type, data) => {
      if (type === 'test:plan' && (data as TestEvent).nesting === 0) this.#end();
      else if (type !== 'test:dequeue') this.#receive(type, data);
    });
    this.#watch.remember(prototype);
    this.#loadError = await loadFile(file);
    this.#outside.runInAsyncScope(() => this.#register());
  }

  #listen(stream: ResultStream): void {
    this.#watch.remember(getPrototypeOf(stream));
    const { emit } = stream;
    const value = (...all: [string, ...unknown[]]): boolean => {
      this.#receive(all[0], all[1]);
      return apply(emit, stream, all);
    };
    defineProperty(stream, 'emit', { value, writable: false, configurable: false });
  }

  #receive(type: string, data: unknown): void {
    const event = data as TestEvent;
    switch (type) {
      case 'test:dequeue':
        // The file is loaded by now. This case counts as running only after the event: what is registered in it would run beside it, with the hooks of both.
        if (!this.#registered) later(() => this.#outside.runInAsyncScope(() => this.#register()));
        this.#registered = true;
        break;
      case 'test:start':
        this.#names.length = event.nesting;
        this.#names[event.nesting] = event.name;
        break;
      case 'test:pass':
      case 'test:fail':
        this.#result(type === 'test:pass', event);
        break;
      case 'test:summary':
        this.#end();
        break;
    }
  }

  #register(): void {
    this.#addPair(canaryName([]));
    void test(canaryName([]), () => {
      this.#outside.runInAsyncScope(() => this.#addPair(canaryName([...this.#own])));
    });
    this.#kinds.push('pass');
  }

  /** Of one name, in any order. */
  #addPair(name: string): void {
    const add: Record<Kind, () => void> = {
      pass: () => void test(name, () => strictEqual(1, 1)),
      fail: () =>
        void test(name, async (t) => {
          if (await this.#isWhole(t)) strictEqual(randomInt(1, 2 ** 20), -randomInt(1, 2 ** 20));
        }),
    };
    const kinds: readonly Kind[] = randomInt(2) === 0 ? ['pass', 'fail'] : ['fail', 'pass'];
    for (const kind of kinds) {
      this.#kinds.push(kind);
      add[kind]();
    }
  }

  async #isWhole(t: TestContext): Promise<boolean> {
    // The runner keeps no error of a file that registered a test before it threw. A module that was loaded is not loaded again.
    await import(pathToFileURL(this.#job.file).href).catch((error: unknown) => {
      this.#loadError ??= { error };
    });
    const changed = await this.#watch.changed(t);
    if (changed !== null) this.#line({ event: 'tampered', why: `something replaced ${changed}, a part of the runner` });
    return changed === null;
  }

  #result(passed: boolean, event: TestEvent): void {
    const { name, nesting, details } = event;
    if (nesting === 0 && (event.file === OWN_FILE || event.file === OWN_URL))
      return this.#canary(passed, details?.error?.cause);
    const failure = details?.error;
    // The runner's placeholder for a file without tests.
    if (nesting === 0 && name === this.#job.file) {
      if (!passed) this.#loadError ??= { error: failure?.cause ?? failure };
      return;
    }
    if (nesting === 0) this.#own.add(name);
    const isSuite = details?.type === 'suite';
    // What its body throws keeps its cases from being registered: the file has not loaded.
    if (isSuite && failure?.failureType === 'testCodeFailure') {
      this.#loadError ??= { error: failure.cause ?? failure };
      return;
    }
    if (failure?.failureType === 'testTimeoutFailure') this.#timedOut = true;
    if (isSuite && (passed || !SUITE_OWN_FAILURES.has(failure?.failureType ?? ''))) return;
    const status = statusOf(passed, event);
    this.#line({
      event: 'case',
      name: [...this.#names.slice(0, nesting), name].join(' > '),
      status,
      duration_ms: Math.max(0, details?.duration_ms ?? 0),
      ...(status === 'failed' ? { failure: this.#failureOf(failure) } : {}),
    });
  }

  #canary(passed: boolean, error: unknown): void {
    const kind = this.#kinds.shift();
    if (kind !== undefined) this.#held[kind].push(kind === 'pass' ? passed : !passed && this.#watch.isAssertion(error));
    if (!this.#timedOut || this.#kinds.length > 0) return;
    // What the case waited for can keep the process alive, and the summary comes only when nothing does.
    this.#end();
    exit(1);
  }

  #failureOf(failure: NonNullable<TestEvent['details']>['error']): object {
    const cause = (failure?.cause ?? failure) as { name?: unknown; code?: unknown; message?: unknown } | undefined;
    const isAssertion = cause?.code === 'ERR_ASSERTION' || cause?.name === 'AssertionError';
    const kind = failure?.failureType === 'testTimeoutFailure' ? 'timeout' : isAssertion ? 'assertion' : 'error';
    return { kind, message: textOf(cause) };
  }

  #end(): void {
    if (this.#loadError !== null) {
      const { error } = this.#loadError;
      const type = error instanceof Error ? error.name : typeof error;
      this.#line({ event: 'load', type, message: textOf(error) });
    }
    const canaries = [
      ['pass', 'passed', 'failed'],
      ['fail', 'failed', 'passed'],
    ] as const;
    for (const [kind, right, wrong] of canaries) {
      const held = this.#held[kind];
      if (held.length < ARRANGEMENTS) continue;
      const status = held.every((each) => each) ? right : wrong;
      this.#line({ event: 'canary', name: `${this.#job.canary}-${this.#job.index}-${kind}`, status });
    }
    const executed = this.#coverage.executed();
    if (executed.size > 0) this.#line({ event: 'coverage', lcov: lcovOf(this.#job.cover, executed) });
    this.#line({ event: 'end' });
  }

  #line(fields: Readonly<Record<string, unknown>>): void {
    const { token, index } = this.#job;
    // Without a prototype, on which a `toJSON` could be put.
    const line = stringify({ __proto__: null, ...fields, ...(fields['event'] === 'end' ? {} : { index }) });
    write(REPORT_DESCRIPTOR, `${token}${line}\n`);
  }
}

/** A failure that was expected is none of the test, and its passing proves nothing. */
function statusOf(passed: boolean, { skip, todo, expectFailure }: TestEvent): 'passed' | 'failed' | 'skipped' | 'todo' {
  const is = (mark: unknown) => mark !== undefined && mark !== false;
  if (is(skip)) return 'skipped';
  if (is(todo) || (is(expectFailure) && passed)) return 'todo';
  return passed ? 'passed' : 'failed';
}

function textOf(error: unknown): string {
  const message: unknown =
    typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
  return String(message ?? error ?? 'failed').slice(0, MAX_TEXT);
}
