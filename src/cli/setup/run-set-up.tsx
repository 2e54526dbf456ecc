import { resolve } from 'node:path';
import { render } from 'ink';
import { userDirs } from '../../contracts/host-layout.ts';
import { COMPATIBLE_ENDPOINT, findProvider, PROVIDERS } from '../../contracts/model/providers.ts';
import {
  findEndpoint,
  findKey,
  parseBaseUrl,
  providerEndpoints,
  secretServiceKeyring,
  setKey,
} from '../../host/secrets/index.ts';
import { detectEngine } from '../../host/setup/detect-engine.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import { NO_COLOURS } from '../../tui/code/code-colours.ts';
import { SetUpView } from '../../tui/components/set-up-view.tsx';
import { SetUpSteps } from '../../tui/setup/set-up-steps.ts';
import { setUserValue } from '../config/config-commands.ts';
import type { UserConfig } from '../config/config-schema.ts';
import { loadUserConfig, userConfigFile } from '../config/load-config.ts';
import { checkStart } from '../doctor/check-start.ts';
import type { DoctorCheck } from '../doctor/doctor-report.ts';
import { localServers } from '../models/local-models.ts';
import { terminalPainter } from '../output/terminal-painter.ts';
import type { Environment } from '../open-project.ts';
import { DEFAULT_MODEL } from '../session-options.ts';
import { guideSetUp } from './guide.ts';
import { endpointName } from './own-endpoint.ts';
import type { Finding, GuideParts, Vendor } from './guide.ts';
import { tryKey } from './try-key.ts';

export interface SetUpPlace {
  /** Where to look for the project; there may be none. */
  readonly project: string | undefined;
  readonly allowRoot: boolean;
}

/** The guided set-up in this process's terminal. Resolves to whether a model is set up. */
export async function runSetUp(place: SetUpPlace, env: Environment): Promise<boolean> {
  const steps = new SetUpSteps();
  const config = await loadUserConfig(userConfigFile(env));
  const look = { painter: terminalPainter(env, config.theme), colours: NO_COLOURS, lends: false, openKey: null };
  const { clear, unmount, waitUntilRenderFlush } = render(<SetUpView steps={steps} look={look} />, {
    exitOnCtrlC: false,
    interactive: true,
  });
  try {
    return await guideSetUp(partsOf(steps, config, place, env));
  } finally {
    await waitUntilRenderFlush();
    clear();
    unmount();
  }
}

function partsOf(
  screen: SetUpSteps,
  { providers }: Pick<UserConfig, 'providers'>,
  place: SetUpPlace,
  env: Environment,
): GuideParts {
  const user = userDirs(env);
  const endpoints = providerEndpoints(providers, env);
  const sources = { keysDirectory: user.keys, keyring: secretServiceKeyring(env) };
  return {
    screen,
    localServers: () => localServers(),
    vendors: () =>
      Promise.all(
        Object.keys(PROVIDERS)
          .filter((name) => endpoints.has(name) && (findProvider(name)?.keyVariable ?? null) !== null)
          .map(async (name): Promise<Vendor> => {
            const found = await findKey(findEndpoint(endpoints, name), { ...sources, env }).catch(() => null);
            return { name, title: findProvider(name)?.title ?? name, hasKey: found?.kind === 'found' };
          }),
      ),
    tryKey: (vendor, key) => tryKey(findEndpoint(endpoints, vendor), key),
    storeKey: async (vendor, key) =>
      (await setKey(vendor, key, sources)) === 'keyring' ? 'the keyring' : resolve(user.keys, vendor),
    modelsOf: (vendor) =>
      Object.keys(MODEL_CATALOGUE.models)
        .filter((model) => model.startsWith(`${vendor}/`))
        .sort(bestFirst),
    endpointAt: (address) => {
      const { url, host } = parseBaseUrl(address, 'the address');
      const isTaken = (name: string) => findProvider(name) !== null || (providers[name]?.base_url ?? url) !== url;
      return { name: endpointName(host, isTaken), host, baseUrl: url };
    },
    tryEndpoint: ({ baseUrl }, key) =>
      tryKey({ ...COMPATIBLE_ENDPOINT, baseUrl: parseBaseUrl(baseUrl, 'the address') }, key),
    keepEndpoint: ({ name, baseUrl }, key) => {
      const entry = { kind: 'openai-compatible', base_url: baseUrl, ...(key === 'none' ? {} : { api_key_ref: name }) };
      return setUserValue(`providers.${name}`, JSON.stringify(entry), env);
    },
    keepModel: (model) => setUserValue('model', model, env),
    findings: async () => {
      const engine = await detectEngine(env, readHostSystem(env['PATH']));
      const checks = (await checkStart(place, env)).filter(({ id }) => id !== 'model');
      return [
        engine.kind === 'ready'
          ? { mark: 'good', text: `A container engine answers at ${engine.engine.socketPath}` }
          : { mark: 'bad', text: `${engine.error.what}: ${engine.error.fix}` },
        ...checks.map(findingOf),
      ];
    },
  };
}

function findingOf({ level, what, fix }: DoctorCheck): Finding {
  return { mark: level === 'ok' ? 'good' : 'bad', text: fix === '' ? what : `${what}: ${fix}` };
}

/** The default first, then by name and version, newest first. */
function bestFirst(a: string, b: string): number {
  const isDefault = Number(b === DEFAULT_MODEL) - Number(a === DEFAULT_MODEL);
  return isDefault === 0 ? b.localeCompare(a, 'en', { numeric: true }) : isDefault;
}
