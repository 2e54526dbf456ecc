import { listFirst } from '../../lib/text/list-first.ts';
import { localServers } from '../models/local-models.ts';
import type { Ask } from '../models/local-models.ts';
import { ok } from './doctor-report.ts';
import type { DoctorCheck } from './doctor-report.ts';

const MAX_NAMED = 10;

/** A line for each local server that answers, with the names to be used with `--model`. */
export async function checkLocalModels(ask: Ask = fetch): Promise<readonly DoctorCheck[]> {
  const servers = await localServers(ask);
  return servers.map(({ provider, title, baseUrl, models }) =>
    ok(`models.${provider}`, `${title} answers at ${baseUrl}: ${named(models)}`),
  );
}

function named(models: readonly string[]): string {
  if (models.length === 0) return 'it has no model';
  return listFirst(models, { max: MAX_NAMED, name: (model) => model });
}
