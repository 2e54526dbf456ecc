/** The part of vitest's API that a run uses, as releases 1 to 4 have it. */

export interface TaskError {
  readonly name?: string;
  readonly message?: string;
  /** Expected and actual values, line by line. */
  readonly diff?: string;
  readonly VITEST_TEST_PATH?: string;
}

export interface Task {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  /** Expected to fail. */
  readonly fails?: boolean;
  readonly filepath?: string;
  readonly projectName?: string;
  readonly tasks?: readonly Task[];
  readonly result?: {
    readonly state?: string;
    readonly duration?: number;
    readonly retryCount?: number;
    readonly errors?: readonly TaskError[];
  };
}

interface ProjectConfig {
  setupFiles: string[];
  bail: number;
  allowOnly: boolean;
  isolate: boolean;
  testNamePattern: RegExp | undefined;
  tagsFilter: unknown;
  snapshotOptions: { updateSnapshot: string };
}

export interface Vitest {
  readonly config: ProjectConfig;
  readonly projects: readonly {
    readonly config: ProjectConfig;
    readonly vite?: ViteServer;
    provide(key: string, value: unknown): void;
  }[];
  readonly state: {
    getFiles(): readonly Task[];
    getUnhandledErrors(): readonly TaskError[];
    readonly idMap?: ReadonlyMap<string, Task>;
  };
  /** Since vitest 3; what was configured is kept apart from `config` there. */
  resetGlobalTestNamePattern?(): void;
  start(filters: readonly string[]): Promise<unknown>;
  /** Both since vitest 3. */
  getRelevantTestSpecifications?(filters: readonly string[]): Promise<readonly Specification[]>;
  runTestSpecifications?(specifications: readonly Specification[], all: boolean): Promise<unknown>;
}

interface Specification {
  readonly moduleId: string;
}

/** Since vite 6; before that the text that runs has its map in it. */
interface ViteServer {
  readonly config?: {
    readonly resolve?: { readonly alias?: readonly Alias[] };
    /** Directories of which Vite loads files for a browser. */
    readonly server?: { readonly fs?: { readonly allow?: string[] } };
  };
  readonly environments?: Readonly<Record<string, { readonly moduleGraph?: ModuleGraph }>>;
}

/** As Vite has it after it has read a configuration, in whatever form that is written. */
export interface Alias {
  readonly find: string | RegExp;
  readonly replacement: string;
}

interface ModuleGraph {
  getModuleById(id: string): { readonly transformResult?: { readonly map?: unknown } | null } | undefined;
}

export type CreateVitest = (mode: 'test', options: Readonly<Record<string, unknown>>) => Promise<Vitest>;

/** As a reporter receives it since vitest 3. */
export interface EndedTest {
  readonly id: string;
  readonly name: string;
  result(): { readonly state: string };
}

/** As a reporter receives tasks before vitest 4: the id first. */
export type TaskPack = readonly [string, Task['result']];

export interface ConsoleLog {
  readonly type: 'stdout' | 'stderr';
  readonly content: string;
  /** The test that wrote it, where vitest knows. */
  readonly taskId?: string;
}
