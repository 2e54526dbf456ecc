import { z } from 'zod';
import { PROVIDERS } from '../../contracts/model/providers.ts';
import type { ProviderDefinition } from '../../contracts/model/providers.ts';

const ANSWER_WITHIN_MS = 500;

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** What a local server's list of models is asked with; by default Node's own. */
export type Ask = (
  url: string,
  options: { readonly signal: AbortSignal; readonly redirect: 'error' },
) => Promise<Response>;

/** A server of a known kind that answers on this machine. */
export interface LocalServer {
  readonly title: string;
  readonly provider: string;
  readonly baseUrl: string;
  /** As `--model` takes them. */
  readonly models: readonly string[];
}

/** The servers on this machine that answer. None that does not is missed. */
export async function localServers(ask: Ask = fetch): Promise<readonly LocalServer[]> {
  const known = Object.entries<ProviderDefinition>(PROVIDERS).flatMap(([provider, { title, endpoint }]) =>
    endpoint?.reach === 'private' ? [{ provider, title, baseUrl: endpoint.baseUrl }] : [],
  );
  const asked = await Promise.all(
    known.map(async (server) => {
      const models = await modelsAt(server.baseUrl, ask);
      return models === null ? [] : [{ ...server, models: models.map((id) => `${server.provider}/${id}`) }];
    }),
  );
  return asked.flat();
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
