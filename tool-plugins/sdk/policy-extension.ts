/**
 * Types for an extension of the policy. The file has no imports: copy it to the folder of your extension, and import from it with `import type`,
 * which is removed before the extension runs.
 *
 * An extension is one TypeScript file with one default export, a function. It runs in a sandbox without files, network, environment and
 * processes, and has 100 ms for an answer. Whatever goes wrong in it (an exception, a late answer, an answer of another form) is a deny.
 */
export type PolicyExtension = (request: ExtensionRequest) => ExtensionAnswer | Promise<ExtensionAnswer>;

/** One call on one path. A call that touches several paths makes one request for each of them. Read-only. */
export interface ExtensionRequest {
  /** `fs.read`, `fs.write`, `test.run`, `shell.run`, `git.commit`, `ai.generate`, `session.set_mode`, … */
  readonly syscall: string;
  /** Relative to the project, with every link followed; absent for a call that names no path. */
  readonly path?: string | undefined;
  /** `name` or `name:port`, for what leaves the machine. */
  readonly host?: string | undefined;
  readonly state: ExtensionState;
  /** For `session.set_mode`, the requested mode. */
  readonly mode: 'strict' | 'explore' | 'debug';
  /** Tags of the plugin that makes the call: `core_plugin`, `trusted_write`, `third_party`, … */
  readonly tags: readonly string[];
  readonly plugin?: string | undefined;
  /** The kind of sandbox that the call would run in; absent for calls that the kernel runs itself. */
  readonly template?: 'ai-provider' | 'code-executor' | 'integration-test' | 'policy-sandbox' | undefined;
  /** Size of the file after the call, if known. */
  readonly sizeBytes?: number | undefined;
}

export type ExtensionState =
  | 'idle'
  | 'planning'
  | 'test_writing'
  | 'code_writing'
  | 'validating'
  | 'reviewing'
  | 'committing'
  | 'exploring'
  | 'retroactive_testing';

/** `deny` outweighs every rule, `require_review` every allow; `pass` says nothing. */
export interface ExtensionAnswer {
  readonly decision: 'allow' | 'deny' | 'pass' | 'require_review';
  /** Shown to the model and to people: one line of at most 500 characters. */
  readonly reason?: string | undefined;
}
