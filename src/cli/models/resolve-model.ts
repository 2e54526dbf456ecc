import { resolve } from 'node:path';
import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import { effortsOf } from '../../contracts/model/model-facts.ts';
import type { Effort, ModelFacts } from '../../contracts/model/model-facts.ts';
import {
  findEndpoint,
  findKey,
  providerEndpoints,
  secretServiceKeyring,
  withBaseUrl,
} from '../../host/secrets/index.ts';
import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import { findModel } from '../../lib/models/find-model.ts';
import type { UserConfig } from '../config/config-schema.ts';
import type { Environment, OpenProject } from '../open-project.ts';
import { usage } from '../usage-error.ts';
import { readReplay } from './read-replay.ts';

export interface ModelSources {
  readonly env: Environment;
  readonly opened: Pick<OpenProject, 'userConfig' | 'user'>;
  /** The directory to which a replay file's path is relative. */
  readonly invokerDir: string;
  readonly baseUrl?: string | undefined;
  /** Whether a missing key is an error. Default: yes. */
  readonly needsKey?: boolean;
}

/**
 * Everything that a session needs to know about a model. Foreseeable failures are found here, before any request: an unknown provider, a missing key,
 * an unusable replay file, an effort that the model does not offer. Throws FluffyError.
 */
export async function resolveModel(
  sources: ModelSources,
  model: string,
  effort: Effort | undefined,
): Promise<ModelChoice> {
  const [provider, name] = splitModel(model);
  const facts = factsOf(sources.opened.userConfig, model);
  const { window_tokens, max_output_tokens, price } = facts;
  const choice = { model, window_tokens, max_output_tokens, ...(price === undefined ? {} : { price }) };
  if (provider === 'replay') {
    if (effort !== undefined) throw usage(`${model} has no effort ${effort}`, 'A recording has none to choose');
    return { ...choice, replay: await readReplay(resolve(sources.invokerDir, name)) };
  }
  if (sources.needsKey !== false) await checkProvider(sources, provider);
  const efforts = effortsOf(facts);
  if (effort !== undefined && !efforts.includes(effort)) throw noEffort(model, effort, efforts);
  const { reasoning, images, edit_format } = facts;
  return { ...choice, reasoning, images, edit_format, ...(effort === undefined ? {} : { effort }) };
}

/** What is known about a model: the user's values before the catalogue's. */
export function factsOf(user: Pick<UserConfig, 'models' | 'prices'>, model: string): ModelFacts {
  const { facts } = findModel(MODEL_CATALOGUE, model, user.models[model]);
  const price = user.prices[model];
  return price === undefined ? facts : { ...facts, price };
}

export function splitModel(model: string): [string, string] {
  const slash = model.indexOf('/');
  if (slash <= 0 || slash === model.length - 1)
    throw usage(`A model is provider/model, not ${JSON.stringify(model)}`, 'fluffy models lists what can be used here');
  return [model.slice(0, slash), model.slice(slash + 1)];
}

/** Throws FluffyError for an unknown provider, a base URL that its key is not bound to, or a missing key. */
export async function checkProvider(
  { env, opened, baseUrl }: Omit<ModelSources, 'invokerDir'>,
  provider: string,
): Promise<void> {
  const found = findEndpoint(providerEndpoints(opened.userConfig.providers, env), provider);
  const endpoint = baseUrl === undefined ? found : withBaseUrl(found, baseUrl);
  await findKey(endpoint, { env, keysDirectory: opened.user.keys, keyring: secretServiceKeyring(env) });
}

/** Like `checkProvider`, for the provider of a model. A recording needs nothing. */
export async function checkModel(sources: Omit<ModelSources, 'invokerDir'>, model: string): Promise<void> {
  const [provider] = splitModel(model);
  if (provider !== 'replay') await checkProvider(sources, provider);
}

function noEffort(model: string, effort: Effort, efforts: readonly Effort[]): FluffyError {
  return usage(
    `${model} has no effort ${effort}`,
    efforts.length === 0
      ? `As far as is known it has none to choose; models.${model}.efforts in your config.yaml can name them`
      : `It has: ${efforts.join(', ')}`,
  );
}
