import type { SandboxId } from '../ids.ts';
import type { EvaluateAnswer, ExtensionRequest, LoadAnswer, LoadRequest } from '../policy-extension.ts';

/** The program that holds the extensions of a policy, in its sandbox. Whoever gets an error from it closes it: what would still come belongs to nothing. */
export interface PolicySandbox {
  readonly id: SandboxId;
  /** Resolves with why, once it can answer nothing more. Never rejects. */
  readonly ended: Promise<string>;
  /** Rejects with why there is no answer, or none within `limitMs`. */
  load(request: LoadRequest, limitMs: number): Promise<LoadAnswer>;
  /** One at a time. Rejects like `load`. */
  evaluate(request: ExtensionRequest, names: readonly string[], limitMs: number): Promise<EvaluateAnswer>;
  /** Ends it and removes everything of it. `failure` goes into the record of its end. Never rejects. */
  close(failure?: string): Promise<void>;
}

export interface PolicySandboxes {
  /** Makes one that is ready to be loaded. Rejects with why there is none. */
  policy(signal: AbortSignal): Promise<PolicySandbox>;
}
