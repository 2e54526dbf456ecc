import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import { providerOf } from '../../contracts/model/model-choice.ts';
import type { ModelFacts } from '../../contracts/model/model-facts.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserConfig } from '../config/config-schema.ts';
import { modelRoles } from '../config/model-roles.ts';
import type { RoleConfig } from '../config/model-roles.ts';
import { localServers } from './local-models.ts';
import { checkProvider, factsOf } from './resolve-model.ts';
import type { ModelSources } from './resolve-model.ts';

/** Why a provider cannot be used here, and how to change that; null if it can. */
export type ProviderGap = (provider: string) => string | null;

export interface ListedModel extends ModelFacts {
  readonly model: string;
  readonly usable: boolean;
  readonly why?: string;
}

/** The catalogue's models by provider, those that the user has described, and further ones; usable ones first. Pure. */
export function listModels(
  user: RoleConfig & Pick<UserConfig, 'prices'>,
  gapOf: ProviderGap,
  further: readonly string[] = [],
): readonly ListedModel[] {
  return [...new Set([...modelNames(user), ...further])]
    .map((model): ListedModel => {
      const why = gapOf(providerOf(model));
      return { model, usable: why === null, ...(why === null ? {} : { why }), ...factsOf(user, model) };
    })
    .sort((a, b) => Number(b.usable) - Number(a.usable) || (a.model < b.model ? -1 : 1));
}

/** The models available to this user: from the catalogue, the configuration and servers on the loopback. */
export async function modelsHere({
  env,
  opened,
}: Pick<ModelSources, 'env' | 'opened'>): Promise<readonly ListedModel[]> {
  const { userConfig } = opened;
  const local = (await localServers()).flatMap(({ models }) => models);
  const gaps = new Map<string, string | null>();
  for (const provider of new Set([...modelNames(userConfig), ...local].map(providerOf))) {
    gaps.set(provider, await gapOf(() => checkProvider({ env, opened }, provider)));
  }
  return listModels(userConfig, (provider) => gaps.get(provider) ?? null, local);
}

function modelNames(user: RoleConfig): string[] {
  const described = Object.keys(user.models).filter((name) => name.includes('/'));
  const { main, small, fallback } = modelRoles(user);
  const named = [main, small, ...fallback].filter((model) => model !== undefined);
  return [...Object.keys(MODEL_CATALOGUE.models), ...described, ...named].filter((model) => !model.startsWith('open/'));
}

async function gapOf(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof FluffyError) return `${error.what}: ${error.why}. ${error.fix}`;
    throw error;
  }
}
