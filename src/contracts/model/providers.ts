/**
 * Every model provider that fluffy knows by name: one object each, with all that the host, the kernel, the command line and the build need to know
 * about it. Its protocol is implemented by its program in `src/providers/<program>/`, the only code that loads the vendor's library.
 */

/** The protocol: Anthropic's Messages, OpenAI's Responses, Chat Completions, or Google's generateContent. */
export const PROVIDER_WIRES = ['messages', 'responses', 'chat-completions', 'generate-content'] as const;
export type ProviderWire = (typeof PROVIDER_WIRES)[number];

export interface ProviderEndpointDefinition {
  readonly wire: ProviderWire;
  /** `{VARIABLE}` in it is a part that differs for each user, such as a region: a variable of their environment. */
  readonly baseUrl: string;
  /** Which networks the host's name may resolve to: public for the vendor's own, private for a local server. */
  readonly reach: 'public' | 'private';
  /** The user's variable that replaces the base URL; null: it is replaced under `providers` in the user's configuration. */
  readonly baseUrlVariable: string | null;
  /** The path that the vendor's library expects if a base URL has no path. */
  readonly defaultPath: string | null;
}

export interface ProviderDefinition {
  /** Its name in messages to people. */
  readonly title: string;
  /** The program that implements it: `src/providers/<program>/main.ts`, `dist/providers/<program>.mjs`. */
  readonly program: string;
  /** null: it uses no network and needs no key. */
  readonly endpoint: ProviderEndpointDefinition | null;
  /** The user's variable that holds the key; it precedes the keyring and the keys directory. null: no key is needed. */
  readonly keyVariable: string | null;
  /** Whether `providers.<name>` of the user's configuration may replace it. False if a vendor's key is bound to its host. */
  readonly replaceable: boolean;
}

/**
 * A vendor of OpenAI-compatible models at one host. The user's configuration may replace it by an endpoint of their own, which then does not get the
 * vendor's key.
 */
function compatibleVendor(title: string, baseUrl: string, keyVariable: string) {
  return { ...COMPATIBLE, title, endpoint: { ...COMPATIBLE.endpoint, baseUrl, reach: 'public' }, keyVariable } as const;
}

/** OpenAI's protocols in the user's own account at a cloud; the environment names its address (`{VARIABLE}` in `baseUrl`). */
function cloudAccount(title: string, wire: ProviderWire, baseUrl: string, keyVariable: string) {
  const vendor = compatibleVendor(title, baseUrl, keyVariable);
  return { ...vendor, endpoint: { ...vendor.endpoint, wire } } as const;
}

/** A server on this machine, at its default port. */
function localServer(title: string, port: number) {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return {
    ...COMPATIBLE,
    title,
    endpoint: { ...COMPATIBLE.endpoint, baseUrl, reach: 'private' },
    keyVariable: null,
  } as const;
}

const COMPATIBLE = {
  program: 'openai',
  endpoint: { wire: 'chat-completions', baseUrlVariable: null, defaultPath: '/v1' },
  replaceable: true,
} as const;

export const PROVIDERS = {
  anthropic: {
    title: 'Anthropic',
    program: 'anthropic',
    endpoint: {
      wire: 'messages',
      baseUrl: 'https://api.anthropic.com',
      reach: 'public',
      baseUrlVariable: 'FLUFFY_ANTHROPIC_BASE_URL',
      defaultPath: null,
    },
    keyVariable: 'ANTHROPIC_API_KEY',
    replaceable: false,
  },
  openai: {
    title: 'OpenAI',
    program: 'openai',
    endpoint: {
      wire: 'responses',
      baseUrl: 'https://api.openai.com/v1',
      reach: 'public',
      baseUrlVariable: 'FLUFFY_OPENAI_BASE_URL',
      defaultPath: '/v1',
    },
    keyVariable: 'OPENAI_API_KEY',
    replaceable: false,
  },
  google: {
    title: 'Google',
    program: 'google',
    endpoint: {
      wire: 'generate-content',
      baseUrl: 'https://generativelanguage.googleapis.com',
      reach: 'public',
      baseUrlVariable: 'FLUFFY_GOOGLE_BASE_URL',
      defaultPath: null,
    },
    keyVariable: 'GEMINI_API_KEY',
    replaceable: false,
  },
  openrouter: compatibleVendor('OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  groq: compatibleVendor('Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  deepseek: compatibleVendor('DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  mistral: compatibleVendor('Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  xai: compatibleVendor('xAI', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  azure: cloudAccount(
    'Azure OpenAI',
    'responses',
    'https://{AZURE_RESOURCE_NAME}.openai.azure.com/openai/v1',
    'AZURE_OPENAI_API_KEY',
  ),
  bedrock: cloudAccount(
    'Amazon Bedrock',
    'chat-completions',
    'https://bedrock-mantle.{AWS_REGION}.api.aws/v1',
    'AWS_BEARER_TOKEN_BEDROCK',
  ),
  vertex: cloudAccount(
    'Vertex AI',
    'chat-completions',
    'https://{GOOGLE_CLOUD_LOCATION}-aiplatform.googleapis.com/v1/projects/{GOOGLE_CLOUD_PROJECT}/locations/{GOOGLE_CLOUD_LOCATION}/endpoints/openapi',
    'GOOGLE_VERTEX_ACCESS_TOKEN',
  ),
  ollama: localServer('Ollama', 11_434),
  lmstudio: localServer('LM Studio', 1_234),
  vllm: localServer('vLLM', 8_000),
  llamacpp: localServer('llama.cpp', 8_080),
  replay: {
    title: 'the recorded session',
    program: 'replay',
    endpoint: null,
    keyVariable: null,
    replaceable: false,
  },
} as const satisfies Readonly<Record<string, ProviderDefinition>>;

export type KnownProvider = keyof typeof PROVIDERS;
export type ProviderProgramName = (typeof PROVIDERS)[KnownProvider]['program'];

/** The program and protocol of an endpoint in the user's configuration (`kind: openai-compatible`). */
export const COMPATIBLE_ENDPOINT = { program: 'openai', wire: 'chat-completions' } as const;

/** Names that `providers.<name>` must not use. */
export const RESERVED_PROVIDER_NAMES: readonly string[] = Object.entries(PROVIDERS).flatMap(
  ([name, { replaceable }]) => (replaceable ? [] : [name]),
);

/** Each program once, in the order of the registry. */
export const PROVIDER_PROGRAMS: readonly ProviderProgramName[] = [
  ...new Set(Object.values(PROVIDERS).map(({ program }) => program)),
];

export function isKnownProvider(name: string): name is KnownProvider {
  return Object.hasOwn(PROVIDERS, name);
}

/** The definition of a provider by the part before the slash of `provider/model`; null for a provider of the user's configuration. */
export function findProvider(name: string): ProviderDefinition | null {
  return isKnownProvider(name) ? PROVIDERS[name] : null;
}

/** Host and port of a vendor of the registry; null for a local server or the user's own account at a cloud. */
export function vendorHost(name: string): string | null {
  const endpoint = findProvider(name)?.endpoint ?? null;
  if (endpoint?.reach !== 'public' || placeVariables(endpoint).length > 0) return null;
  return `${new URL(endpoint.baseUrl).hostname}:443`;
}

/** The user's variables that an endpoint's address needs, each once. */
export function placeVariables({ baseUrl }: Pick<ProviderEndpointDefinition, 'baseUrl'>): readonly string[] {
  return [...new Set([...baseUrl.matchAll(PLACE)].map(([, variable = '']) => variable))];
}

/** A base URL with the user's parts (names of a resource, a region or a project) filled in; null if a part is missing or invalid. */
export function placedBaseUrl(baseUrl: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const parts = placeVariables({ baseUrl }).map((variable) => env[variable] ?? '');
  if (!parts.every((part) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(part))) return null;
  return baseUrl.replaceAll(PLACE, (_, variable: string) => env[variable] ?? '');
}

const PLACE = /\{([A-Z_]+)\}/g;

/** Whether a program uses an endpoint, so that its sandbox gets the service sockets. */
export function hasEndpoint(program: ProviderProgramName): boolean {
  return Object.values(PROVIDERS).some((provider) => provider.program === program && provider.endpoint !== null);
}

/** The user's variables that decide a provider's address and key. */
export function providerVariables(): readonly string[] {
  return Object.values<ProviderDefinition>(PROVIDERS).flatMap(({ endpoint, keyVariable }) =>
    [endpoint?.baseUrlVariable ?? null, ...(endpoint === null ? [] : placeVariables(endpoint)), keyVariable].filter(
      (name) => name !== null,
    ),
  );
}
