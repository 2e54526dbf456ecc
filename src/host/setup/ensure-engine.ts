import { join } from 'node:path';
import type { BootstrapEnvironment } from '../../bootstrap/detect-runtime.ts';
import type { Engine } from '../images/engine-api.ts';
import { type Consent, isGiven } from './consent.ts';
import { type EngineState, detectEngine } from './detect-engine.ts';
import { withFileLock } from '../file-lock.ts';
import { installEngine } from './install-engine.ts';
import type { Machine } from './machine.ts';
import { type StartedEngine, startEngine } from './start-engine.ts';

export interface EngineOptions {
  readonly env: BootstrapEnvironment;
  readonly machine: Machine;
  /** `$XDG_STATE_HOME/fluffy` */
  readonly stateHome: string;
  readonly consent: Consent;
  readonly onProgress: (line: string) => void;
  /** Called as soon as an engine was started, before anything that may fail. */
  readonly onEngineStarted?: (started: StartedEngine) => Promise<void> | void;
}

/**
 * An engine that answers: the present one, or one that is installed or started with consent. Two at once don't do it twice.
 *
 * @throws BootstrapError `engine_missing`, `engine_not_running` (no consent), `engine_no_permission`, `engine_too_old`, `engine_address_unsupported`,
 * `engine_address_unreachable`; FluffyError `engine_not_installed`, `engine_not_started`
 */
export async function ensureEngine(options: EngineOptions): Promise<Engine> {
  const state = await detectEngine(options.env, options.machine.system);
  if (state.kind === 'ready') return state.engine;
  return withFileLock(
    join(options.stateHome, 'engine.lock'),
    { onWait: () => options.onProgress('waiting for another set-up that is preparing the container engine') },
    () => repairEngine(options),
  );
}

async function repairEngine(options: EngineOptions): Promise<Engine> {
  const { machine, onProgress } = options;
  const detect = (): Promise<EngineState> => detectEngine(options.env, machine.system);
  let state = await detect();
  if (state.kind === 'missing') {
    await requireConsent(
      options.consent,
      `There is no container engine: ${state.error.why}. Install docker.io with apt-get?`,
      state,
    );
    await installEngine(machine, onProgress);
    state = await detect();
    // Many packages start their service; Fluffy must stop what its installation started.
    if (state.kind === 'ready') await options.onEngineStarted?.(packagedService(machine));
  }
  if (state.kind === 'not-running') {
    await requireConsent(options.consent, 'The container engine is not running. Start it?', state);
    const isReady = async (): Promise<boolean> => (await detect()).kind === 'ready';
    const logPath = join(options.stateHome, 'engine.log');
    const started = await startEngine({ machine, logPath, isReady, progress: onProgress });
    await options.onEngineStarted?.(started);
    state = await detect();
  }
  if (state.kind !== 'ready') throw state.error;
  return state.engine;
}

function packagedService(machine: Machine): StartedEngine {
  const stop = machine.system.systemd
    ? ['systemctl', 'stop', 'docker.socket', 'docker.service']
    : ['service', 'docker', 'stop'];
  return { kind: 'service', stop: machine.isRoot ? stop : ['sudo', ...stop] };
}

async function requireConsent(
  consent: Consent,
  question: string,
  state: Exclude<EngineState, { kind: 'ready' }>,
): Promise<void> {
  if (!(await isGiven(consent, question))) throw state.error;
}
