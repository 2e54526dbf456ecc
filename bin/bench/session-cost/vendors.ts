import { MODEL_CATALOGUE } from '../../../src/lib/models/catalogue.ts';
import { findModel } from '../../../src/lib/models/find-model.ts';
import type { Vendor } from './play.ts';

export const OPENAI = vendor('OpenAI', 'responses', 'gpt-5.5');
export const ANTHROPIC = vendor('Anthropic', 'messages', 'claude-sonnet-4-5');

function vendor(title: string, wire: Vendor['wire'], model: string): Vendor {
  const { price } = findModel(MODEL_CATALOGUE, `${title.toLowerCase()}/${model}`).facts;
  if (price === undefined) throw new Error(`the catalogue has no price of ${model}`);
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite = input } = price;
  return { title, wire, model, price: { input, output, cacheRead, cacheWrite } };
}
