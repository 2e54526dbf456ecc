import type { SandboxId } from '../ids.ts';
import type { EvaluateAnswer, ExtensionRequest, LoadAnswer, LoadRequest } from '../policy-extension.ts';

/**
 * The program that holds the extensions of a policy, in its sandbox. A caller that gets an error from it must close it: later output would belong to
 * no request.
 */
export interface PolicySandbox {
  readonly id: SandboxId;
  /** Resolves with the reason when it can answer no more requests. Never rejects. */
  readonly ended: Promise<string>;
  /** Rejects with the reason if there is no answer, also none within `limitMs`. */
  load(request: LoadRequest, limitMs: number): Promise<LoadAnswer>;
  /** One request at a time. Rejects like `load`. */
  evaluate(request: ExtensionRequest, names: readonly string[], limitMs: number): Promise<EvaluateAnswer>;
  /** Ends it and removes everything that belongs to it. `failure` is added to the record of its end. Never rejects. */
  close(failure?: string): Promise<void>;
}

export interface PolicySandboxes {
  /** Creates one that is ready to be loaded. Rejects with the reason if that fails. */
  policy(signal: AbortSignal): Promise<PolicySandbox>;
}
