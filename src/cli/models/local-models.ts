import { z } from 'zod';
import { PROVIDERS } from '../../contracts/model/providers.ts';
import type { ProviderDefinition } from '../../contracts/model/providers.ts';

const ANSWER_WITHIN_MS = 500;

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Fetches a local server's list of models; by default Node's own fetch. */
export type Ask = (
  url: string,
  options: { readonly signal: AbortSignal; readonly redirect: 'error' },
) => Promise<Response>;

/** A server of a known kind that answers on this machine. */
export interface LocalServer {
  readonly title: string;
  readonly provider: string;
  readonly baseUrl: string;
  /** In the form of `--model`. */
  readonly models: readonly string[];
}

/** The servers on this machine that answer. A missing server is no error. */
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
    // Another program may use the port: only a list of models counts.
    return listSchema.parse(await response.json()).data.map(({ id }) => id);
  } catch {
    return null;
  }
}
