import { modelCatalogueSchema } from '../../contracts/model/model-facts.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/** The models that ship with this version. */
export const MODEL_CATALOGUE = modelCatalogueSchema.parse(catalogue);
