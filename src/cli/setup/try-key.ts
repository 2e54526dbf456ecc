import { z } from 'zod';
import type { ProviderWire } from '../../contracts/model/providers.ts';
import type { ProviderEndpoint } from '../../host/secrets/index.ts';

/** The vendor's answer to a key. */
export type KeyTrial =
  | { readonly kind: 'works'; readonly models: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }
  /** It is unknown whether the key is valid. */
  | { readonly kind: 'not-tried'; readonly why: string };

export type Fetch = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly redirect: 'error';
  },
) => Promise<Response>;

const ANSWER_WITHIN_MS = 10_000;

const HEADERS: Readonly<Record<ProviderWire, (key: string) => Readonly<Record<string, string>>>> = {
  messages: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  responses: (key) => ({ authorization: `Bearer ${key}` }),
  'chat-completions': (key) => ({ authorization: `Bearer ${key}` }),
  'generate-content': (key) => ({ 'x-goog-api-key': key }),
};
/** Below the base URL of each wire. */
const LIST_PATH: Readonly<Record<ProviderWire, string>> = {
  messages: '/v1/models',
  responses: '/models',
  'chat-completions': '/models',
  'generate-content': '/v1beta/models',
};

/** Lists of models in the vendors' formats; Google's names have a folder before them. */
const listSchema = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ''))),
]);

/**
 * Asks the vendor for its list of models, which costs nothing. The key is sent only to the host of this endpoint: a redirection is an error. null:
 * the endpoint needs no key.
 */
export async function tryKey(
  { wire, baseUrl }: Pick<ProviderEndpoint, 'wire' | 'baseUrl'>,
  key: string | null,
  ask: Fetch = fetch,
): Promise<KeyTrial> {
  try {
    const response = await ask(`${baseUrl.url}${LIST_PATH[wire]}`, {
      headers: key === null ? {} : HEADERS[wire](key),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    });
    if (response.status === 401 || response.status === 403)
      return { kind: 'refused', why: `the vendor answers ${response.status}` };
    if (!response.ok) return { kind: 'not-tried', why: `the vendor answers ${response.status}` };
    const listed = listSchema.safeParse(await response.json());
    return { kind: 'works', models: listed.success ? listed.data : [] };
  } catch (error) {
    return { kind: 'not-tried', why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
