/** The part of mocha's API, and of its command line, that a run uses. */

export interface Runnable {
  readonly title: string;
  readonly type: string;
  readonly file?: string;
  readonly parent?: Suite;
  readonly duration?: number;
  readonly ctx?: { readonly currentTest?: Runnable };
  titlePath(): string[];
}

export interface MochaTest extends Runnable {
  file?: string;
  currentRetry(): number;
}

export interface Suite {
  readonly root: boolean;
  tests: MochaTest[];
  suites: Suite[];
  readonly parent?: Suite;
  file?: string;
  retries(count: number): unknown;
  addTest(test: MochaTest): unknown;
}

export interface Runner {
  on(event: 'pass' | 'pending', listener: (test: MochaTest) => void): Runner;
  on(event: 'fail', listener: (test: MochaTest, error: unknown) => void): Runner;
}

export interface MochaInstance {
  readonly suite: Suite;
  files: string[];
  /** Since mocha 8. */
  loadFilesAsync?(): Promise<void>;
  loadFiles(): void;
  run(done: () => void): Runner;
}

export interface MochaModule {
  new (options: Readonly<Record<string, unknown>>): MochaInstance;
  readonly Suite: { create(parent: Suite, title: string): Suite; readonly prototype: object };
  readonly Test: { new (title: string, body: () => unknown): MochaTest; readonly prototype: object };
  readonly Runner?: Part;
  readonly Runnable?: Part;
  readonly Hook?: Part;
  readonly Context?: Part;
}

interface Part {
  readonly prototype: object;
}

interface Options extends Readonly<Record<string, unknown>> {
  readonly require?: readonly string[];
  readonly file?: readonly string[];
}

export interface MochaInternals {
  readonly Mocha: MochaModule;
  loadOptions(args: readonly string[]): Options;
  handleRequires(modules: readonly string[], options: Readonly<Record<string, unknown>>): Promise<object>;
}
