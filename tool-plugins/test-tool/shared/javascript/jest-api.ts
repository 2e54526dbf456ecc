/** The part of jest's API that a run uses, as releases since 28 have it. */
import type { CoveredScript } from '../coverage/executed-lines.ts';

export interface AssertionResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly duration?: number | null;
  readonly failing?: boolean;
  readonly invocations?: number;
  readonly failureMessages: readonly string[];
  readonly failureDetails?: readonly unknown[];
}

export interface FileResult {
  readonly testResults: readonly AssertionResult[];
  readonly testExecError?: LoadError | null;
  readonly skipped?: boolean;
  readonly v8Coverage?: readonly V8Result[];
}

/** What jest keeps of V8's count for one file: the text that ran, and where a map of it is. */
export interface V8Result {
  readonly result: { readonly url: string; readonly functions: CoveredScript['functions'] };
  readonly codeTransformResult?: {
    readonly code: string;
    readonly originalCode: string;
    readonly sourceMapPath?: string | null;
  };
}

export interface LoadError {
  readonly message?: string;
  readonly stack?: string | null;
  readonly type?: string;
}

export interface ProjectConfig {
  readonly id?: string;
  readonly displayName?: { readonly name: string };
  readonly setupFilesAfterEnv: readonly string[];
  readonly globals: Readonly<Record<string, unknown>>;
  /** Which files, by which program, with which options of it. */
  readonly transform?: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[];
}

export interface JestTest {
  readonly path: string;
  readonly context: { readonly config: ProjectConfig };
}

/** Since jest 28. */
export interface JestRunner {
  _globalConfig?: Readonly<Record<string, unknown>>;
  runTests(tests: readonly JestTest[], ...rest: readonly unknown[]): Promise<void>;
  on(event: 'test-file-success', listener: (data: readonly [JestTest, FileResult]) => void): void;
  on(event: 'test-case-result', listener: (data: readonly [string, AssertionResult]) => void): void;
  on(event: 'test-file-failure', listener: (data: readonly [JestTest, LoadError]) => void): void;
}

export interface Jest {
  runCLI(argv: Readonly<Record<string, unknown>>, projects: readonly string[]): Promise<unknown>;
}
