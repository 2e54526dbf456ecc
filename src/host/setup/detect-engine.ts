import { BootstrapError } from '../../bootstrap/bootstrap-error.ts';
import { type BootstrapEnvironment, detectRuntime } from '../../bootstrap/detect-runtime.ts';
import type { HostSystem } from '../../bootstrap/repair-commands.ts';
import type { Engine } from '../images/engine-api.ts';

/** The container engine of this machine, or why there is none. Each `error` names the command that fixes it. */
export type EngineState =
  | { readonly kind: 'ready'; readonly engine: Engine }
  | { readonly kind: 'missing' | 'not-running' | 'no-permission' | 'unusable'; readonly error: BootstrapError };

/** Finds the engine in the same way as bootstrap, so that set-up and start can't disagree. */
export async function detectEngine(env: BootstrapEnvironment, system: HostSystem): Promise<EngineState> {
  try {
    return { kind: 'ready', engine: await detectRuntime(env, system) };
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    return { kind: kindOf(error), error };
  }
}

function kindOf({ code }: BootstrapError): 'missing' | 'not-running' | 'no-permission' | 'unusable' {
  if (code === 'engine_missing') return 'missing';
  if (code === 'engine_not_running') return 'not-running';
  return code === 'engine_no_permission' ? 'no-permission' : 'unusable';
}
