import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ProviderWire, UserProviders } from '../../contracts/provider-config.ts';
import type { BaseUrl } from './parse-base-url.ts';
import { parseBaseUrl } from './parse-base-url.ts';

/** Where a key comes from. `stored` is looked up in the keyring and the keys directory, after `variable`. */
export type KeyRef =
  | { readonly kind: 'none' }
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'stored'; readonly name: string; readonly variable: string | null };

/** A model provider as this user has it. The key goes to this endpoint and to no other. */
export interface ProviderEndpoint {
  readonly name: string;
  readonly program: 'anthropic' | 'openai';
  readonly wire: ProviderWire;
  readonly baseUrl: BaseUrl;
  readonly keyRef: KeyRef;
}

export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

const ANTHROPIC_URL = 'https://api.anthropic.com';
const OPENAI_URL = 'https://api.openai.com/v1';
const OLLAMA_URL = 'http://127.0.0.1:11434/v1';

/** Names that `providers.<name>` must not take over: their keys are bound to their vendors' hosts. */
const RESERVED = ['anthropic', 'openai', 'google', 'replay'];

/**
 * Every provider that can be named in `provider/model`, `replay` excepted, which needs no endpoint. `userProviders` and `env` are
 * the user's own, never the project's. Throws FluffyError `base_url_refused`, `provider_name_reserved`.
 */
export function providerEndpoints(
  userProviders: UserProviders,
  env: ProviderEnvironment,
): ReadonlyMap<string, ProviderEndpoint> {
  const builtIn: ProviderEndpoint[] = [
    {
      name: 'anthropic',
      program: 'anthropic',
      wire: 'messages',
      baseUrl:
        fromEnvironment(env, 'FLUFFY_ANTHROPIC_BASE_URL') ?? parseBaseUrl(ANTHROPIC_URL, ANTHROPIC_URL, 'public'),
      keyRef: { kind: 'stored', name: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
    },
    {
      name: 'openai',
      program: 'openai',
      wire: 'responses',
      baseUrl:
        withVersionPath(fromEnvironment(env, 'FLUFFY_OPENAI_BASE_URL')) ??
        parseBaseUrl(OPENAI_URL, OPENAI_URL, 'public'),
      keyRef: { kind: 'stored', name: 'openai', variable: 'OPENAI_API_KEY' },
    },
    {
      name: 'ollama',
      program: 'openai',
      wire: 'chat-completions',
      baseUrl: parseBaseUrl(OLLAMA_URL, OLLAMA_URL),
      keyRef: { kind: 'none' },
    },
  ];
  const own = Object.entries(userProviders).map(([name, provider]): ProviderEndpoint => {
    if (RESERVED.includes(name)) throw reserved(name);
    return {
      name,
      program: 'openai',
      wire: 'chat-completions',
      baseUrl: parseBaseUrl(provider.base_url, `providers.${name}.base_url`),
      keyRef: parseKeyRef(provider.api_key_ref),
    };
  });
  return new Map([...builtIn, ...own].map((endpoint) => [endpoint.name, endpoint]));
}

/** `--base-url`: another path on a host and port that the provider has anyway. Throws FluffyError `base_url_refused`. */
export function withBaseUrl(endpoint: ProviderEndpoint, baseUrl: string): ProviderEndpoint {
  const asked = parseBaseUrl(baseUrl, '--base-url');
  const { host, port, tls, rule } = endpoint.baseUrl;
  if (asked.host === host && asked.port === port && asked.tls === tls) {
    return { ...endpoint, baseUrl: { ...asked, rule } };
  }
  throw new FluffyError({
    code: 'base_url_refused',
    what: `--base-url cannot send ${endpoint.name} to ${asked.host}:${asked.port}`,
    why: `the key of ${endpoint.name} is bound to ${host}:${port}`,
    fix: 'Name another endpoint under providers in your own config.yaml, or set FLUFFY_ANTHROPIC_BASE_URL or FLUFFY_OPENAI_BASE_URL',
    exitCode: EXIT.usage,
  });
}

/** Throws FluffyError `unknown_provider`. */
export function findEndpoint(endpoints: ReadonlyMap<string, ProviderEndpoint>, name: string): ProviderEndpoint {
  const found = endpoints.get(name);
  if (found !== undefined) return found;
  throw new FluffyError({
    code: 'unknown_provider',
    what: `There is no model provider called ${JSON.stringify(name.slice(0, 60))}`,
    why: `known are ${[...endpoints.keys(), 'replay'].join(', ')}`,
    fix: 'Use one of these, or add it under providers in your own config.yaml',
    exitCode: EXIT.usage,
  });
}

function fromEnvironment(env: ProviderEnvironment, variable: string): BaseUrl | null {
  const text = env[variable];
  return text === undefined || text === '' ? null : parseBaseUrl(text, variable);
}

/** The vendor's client library appends to `…/v1`; an address without any path means that one. */
function withVersionPath(baseUrl: BaseUrl | null): BaseUrl | null {
  if (baseUrl === null || new URL(baseUrl.url).pathname !== '/') return baseUrl;
  return { ...baseUrl, url: `${baseUrl.url}/v1` };
}

function parseKeyRef(ref: string | undefined): KeyRef {
  if (ref === undefined) return { kind: 'none' };
  if (ref.startsWith('env:')) return { kind: 'variable', variable: ref.slice('env:'.length) };
  return { kind: 'stored', name: ref, variable: null };
}

function reserved(name: string): FluffyError {
  return new FluffyError({
    code: 'provider_name_reserved',
    what: `providers.${name} cannot be configured`,
    why: 'the name belongs to a provider that fluffy knows, whose key is bound to its own host',
    fix: 'Choose another name for this endpoint',
    exitCode: EXIT.usage,
  });
}
