/**
 * Types for an extension of the policy. The file stands by itself: copy it beside your extension, and import from it with `import type`, which
 * is gone before the extension runs.
 *
 * An extension is one TypeScript file with one default export, a function. It runs in a sandbox without files, network, environment and
 * processes, and has 100 ms for an answer. Whatever goes wrong in it (an exception, a late answer, an answer of another form) is a deny.
 */
export type PolicyExtension = (request: ExtensionRequest) => ExtensionAnswer | Promise<ExtensionAnswer>;

/** One call on one path. A call that touches several paths is asked about for each of them. It cannot be changed. */
export interface ExtensionRequest {
  /** `fs.read`, `fs.write`, `test.run`, `shell.run`, `git.commit`, `ai.generate`, `session.set_mode`, … */
  readonly syscall: string;
  /** Relative to the project, with every link followed; absent for a call that names no path. */
  readonly path?: string | undefined;
  /** `name` or `name:port`, for what leaves the machine. */
  readonly host?: string | undefined;
  readonly state: ExtensionState;
  /** For `session.set_mode`, the mode that is asked for. */
  readonly mode: 'strict' | 'explore' | 'debug';
  /** Of the plugin that asks: `core_plugin`, `trusted_write`, `third_party`, … */
  readonly tags: readonly string[];
  readonly plugin?: string | undefined;
  /** The kind of sandbox that it would be done in; absent for what the kernel does itself. */
  readonly template?: 'ai-provider' | 'code-executor' | 'integration-test' | 'policy-sandbox' | undefined;
  /** Of the file as it would be afterwards, where that is known beforehand. */
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
