import { z } from 'zod';
import { PROVIDERS } from '../../contracts/model/providers.ts';
import type { ProviderDefinition } from '../../contracts/model/providers.ts';
import { ok } from './doctor-report.ts';
import type { DoctorCheck } from './doctor-report.ts';
import { listFirst } from '../../lib/text/list-first.ts';

const ANSWER_WITHIN_MS = 500;
const MAX_NAMED = 10;

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** What a local server's list of models is asked with; by default Node's own. */
export type Ask = (
  url: string,
  options: { readonly signal: AbortSignal; readonly redirect: 'error' },
) => Promise<Response>;

/** A line for each server of a known kind that answers on this machine, with the names to be used with `--model`. None that does not is missed. */
export async function checkLocalModels(ask: Ask = fetch): Promise<readonly DoctorCheck[]> {
  const local = Object.entries<ProviderDefinition>(PROVIDERS).flatMap(([name, { title, endpoint }]) =>
    endpoint?.reach === 'private' ? [{ name, title, baseUrl: endpoint.baseUrl }] : [],
  );
  const found = await Promise.all(
    local.map(async ({ name, title, baseUrl }) => {
      const models = await modelsAt(baseUrl, ask);
      return models === null ? [] : [ok(`models.${name}`, `${title} answers at ${baseUrl}: ${named(name, models)}`)];
    }),
  );
  return found.flat();
}

async function modelsAt(baseUrl: string, ask: Ask): Promise<readonly string[] | null> {
  try {
    const options = { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'error' } as const;
    const response = await ask(`${baseUrl}/models`, options);
    // Another program may have the port: only a list of models is one.
    return listSchema.parse(await response.json()).data.map(({ id }) => id);
  } catch {
    return null;
  }
}

function named(provider: string, models: readonly string[]): string {
  if (models.length === 0) return 'it has no model';
  return listFirst(models, { max: MAX_NAMED, name: (model) => `${provider}/${model}` });
}
