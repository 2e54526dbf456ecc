import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserProviders } from '../../contracts/model/provider-config.ts';
import {
  COMPATIBLE_ENDPOINT,
  PROVIDERS,
  RESERVED_PROVIDER_NAMES,
  findProvider,
  placeVariables,
  placedBaseUrl,
} from '../../contracts/model/providers.ts';
import type { ProviderDefinition, ProviderEndpointDefinition, ProviderWire } from '../../contracts/model/providers.ts';
import type { BaseUrl } from './parse-base-url.ts';
import { parseBaseUrl } from './parse-base-url.ts';

/** The source of a key. `stored` is searched in the keyring and the keys directory, after `variable`. */
export type KeyRef =
  | { readonly kind: 'none' }
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'stored'; readonly name: string; readonly variable: string | null };

/** A model provider with the user's settings. The key is sent only to this endpoint. */
export interface ProviderEndpoint {
  readonly name: string;
  readonly program: string;
  readonly wire: ProviderWire;
  readonly baseUrl: BaseUrl;
  readonly keyRef: KeyRef;
}

export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Every provider with an endpoint that can be named in `provider/model`; a cloud provider only if the environment gives its address. `userProviders`
 * and `env` belong to the user, never to the project. Throws FluffyError `base_url_refused`, `provider_name_reserved`.
 */
export function providerEndpoints(
  userProviders: UserProviders,
  env: ProviderEnvironment,
): ReadonlyMap<string, ProviderEndpoint> {
  const known = Object.entries<ProviderDefinition>(PROVIDERS).flatMap(([name, definition]) =>
    definition.endpoint === null ? [] : knownEndpoint(name, definition, definition.endpoint, env),
  );
  const own = Object.entries(userProviders).map(([name, provider]): ProviderEndpoint => {
    if (RESERVED_PROVIDER_NAMES.includes(name)) throw reserved(name);
    return {
      name,
      ...COMPATIBLE_ENDPOINT,
      baseUrl: parseBaseUrl(provider.base_url, `providers.${name}.base_url`),
      keyRef: parseKeyRef(provider.api_key_ref),
    };
  });
  return new Map([...known, ...own].map((endpoint) => [endpoint.name, endpoint]));
}

function knownEndpoint(
  name: string,
  { program, keyVariable }: ProviderDefinition,
  { wire, baseUrl, reach, baseUrlVariable, defaultPath }: ProviderEndpointDefinition,
  env: ProviderEnvironment,
): ProviderEndpoint[] {
  const text = baseUrlVariable === null ? '' : (env[baseUrlVariable] ?? '');
  const replacement = baseUrlVariable === null || text === '' ? null : parseBaseUrl(text, baseUrlVariable);
  const placed = placedBaseUrl(baseUrl, env);
  if (replacement === null && placed === null) return [];
  return [
    {
      name,
      program,
      wire,
      baseUrl:
        replacement === null ? parseBaseUrl(placed ?? '', placed ?? '', reach) : withPath(replacement, defaultPath),
      keyRef: keyVariable === null ? { kind: 'none' } : { kind: 'stored', name, variable: keyVariable },
    },
  ];
}

/** `--base-url`: another path on the provider's own host and port. Throws FluffyError `base_url_refused`. */
export function withBaseUrl(endpoint: ProviderEndpoint, baseUrl: string): ProviderEndpoint {
  const requested = parseBaseUrl(baseUrl, '--base-url');
  const { host, port, tls, rule } = endpoint.baseUrl;
  if (requested.host === host && requested.port === port && requested.tls === tls) {
    return { ...endpoint, baseUrl: { ...requested, rule } };
  }
  const variable = findProvider(endpoint.name)?.endpoint?.baseUrlVariable ?? null;
  throw new FluffyError({
    code: 'base_url_refused',
    what: `--base-url cannot send ${endpoint.name} to ${requested.host}:${requested.port}`,
    why: `the key of ${endpoint.name} is bound to ${host}:${port}`,
    fix: `Name another endpoint under providers in your own config.yaml${variable === null ? '' : `, or set ${variable}`}`,
    exitCode: EXIT.usage,
  });
}

/** Throws FluffyError `unknown_provider`, `provider_place_unknown`. */
export function findEndpoint(endpoints: ReadonlyMap<string, ProviderEndpoint>, name: string): ProviderEndpoint {
  const found = endpoints.get(name);
  if (found !== undefined) return found;
  const known = findProvider(name);
  if (known !== null && known.endpoint !== null) throw placeUnknown(name, known.title, placeVariables(known.endpoint));
  throw new FluffyError({
    code: 'unknown_provider',
    what: `There is no model provider called ${JSON.stringify(name.slice(0, 60))}`,
    why: `known are ${[...new Set([...endpoints.keys(), ...Object.keys(PROVIDERS)])].join(', ')}`,
    fix: 'Use one of these, or add it under providers in your own config.yaml',
    exitCode: EXIT.usage,
  });
}

function placeUnknown(name: string, title: string, variables: readonly string[]): FluffyError {
  return new FluffyError({
    code: 'provider_place_unknown',
    what: `It is not known where your models of ${title} are`,
    why: `that takes the plain name of a resource, region or project in ${variables.join(' and ')}`,
    fix: `Set ${variables.join(' and ')} in your environment, or providers.${name}.base_url in your own config.yaml`,
    exitCode: EXIT.usage,
  });
}

/** A base URL without a path means the path that the vendor's library expects. */
function withPath(baseUrl: BaseUrl, path: string | null): BaseUrl {
  if (path === null || new URL(baseUrl.url).pathname !== '/') return baseUrl;
  return { ...baseUrl, url: `${baseUrl.url}${path}` };
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
