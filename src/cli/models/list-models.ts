import type { ModelFacts } from '../../contracts/model/model-facts.ts';
import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import { findModel } from '../../lib/models/find-model.ts';
import type { UserConfig } from '../config/config-schema.ts';

/** Why a provider cannot be used here, and what would change that; null when it can. */
export type ProviderGap = (provider: string) => string | null;

export interface ListedModel extends ModelFacts {
  readonly model: string;
  readonly usable: boolean;
  readonly why?: string;
}

/** Pure: the catalogue's models by provider, and those that the user has described, the usable ones first. */
export function listModels({ models }: Pick<UserConfig, 'models'>, gapOf: ProviderGap): readonly ListedModel[] {
  const names = new Set([...Object.keys(MODEL_CATALOGUE.models), ...Object.keys(models)]);
  return [...names]
    .filter((model) => !model.startsWith('open/'))
    .map((model): ListedModel => {
      const why = gapOf(model.slice(0, model.indexOf('/')));
      const { facts } = findModel(MODEL_CATALOGUE, model, models[model]);
      return { model, usable: why === null, ...(why === null ? {} : { why }), ...facts };
    })
    .sort((a, b) => Number(b.usable) - Number(a.usable) || (a.model < b.model ? -1 : 1));
}
