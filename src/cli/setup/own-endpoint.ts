import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { SetUpScreen } from '../../tui/setup/set-up-steps.ts';
import type { KeyTrial } from './try-key.ts';

/** The person's own server for OpenAI's Chat Completions protocol. */
export interface OwnEndpoint {
  /** The beginning of `provider/model`. */
  readonly name: string;
  readonly host: string;
  readonly baseUrl: string;
}

export interface OwnEndpointParts {
  readonly screen: Pick<SetUpScreen, 'say' | 'busy' | 'line' | 'secret'>;
  /** Throws FluffyError `base_url_refused`. */
  readonly endpointAt: (address: string) => OwnEndpoint;
  /** Null: without a key. */
  readonly tryEndpoint: (endpoint: OwnEndpoint, key: string | null) => Promise<KeyTrial>;
  /** Resolves to where it is stored. Throws FluffyError for an invalid key. */
  readonly storeKey: (name: string, key: string) => Promise<string>;
  /** Into the user's configuration. Resolves to the file. */
  readonly keepEndpoint: (endpoint: OwnEndpoint, key: 'stored' | 'none') => Promise<string>;
}

/**
 * Asks for address and key. Resolves to the models of the endpoint, `name/model`, which it lists or the person names; null if the person left a
 * question.
 */
export async function modelsOfOwnEndpoint(parts: OwnEndpointParts): Promise<readonly string[] | null> {
  const { screen } = parts;
  const endpoint = await addressOf(parts);
  if (endpoint === null) return null;
  const listed = await reach(parts, endpoint);
  if (listed === null) return null;
  if (listed.length > 0) return listed.map((model) => `${endpoint.name}/${model}`);
  const model = await screen.line(`Model, as ${endpoint.host} names it:`);
  return model === null || model.trim() === '' ? null : [`${endpoint.name}/${model.trim()}`];
}

async function addressOf({ screen, endpointAt }: OwnEndpointParts): Promise<OwnEndpoint | null> {
  for (;;) {
    const address = await screen.line('Base URL, usually ending in /v1:');
    if (address === null) return null;
    try {
      return endpointAt(address.trim());
    } catch (error) {
      if (!(error instanceof FluffyError)) throw error;
      screen.say('bad', `It cannot be used: ${error.why}. ${error.fix}`);
    }
  }
}

/**
 * Asks for the key until the endpoint accepts it, and stores both. Resolves to the models that the endpoint lists; null if the person left the
 * question.
 */
async function reach(
  { screen, tryEndpoint, storeKey, keepEndpoint }: OwnEndpointParts,
  endpoint: OwnEndpoint,
): Promise<readonly string[] | null> {
  const { host, name } = endpoint;
  for (;;) {
    const given = await screen.secret(`Key for ${host} (not shown; press only Enter if it needs none):`);
    if (given === null) return null;
    const key = given.trim() === '' ? null : given.trim();
    screen.busy(`asking ${host} for its models`);
    const trial = await tryEndpoint(endpoint, key);
    if (trial.kind === 'refused') {
      screen.say('bad', `${host} refuses ${key === null ? 'a request without a key' : 'this key'} (${trial.why})`);
      continue;
    }
    try {
      const where = key === null ? '' : `; its key is stored in ${await storeKey(name, key)}`;
      const file = await keepEndpoint(endpoint, key === null ? 'none' : 'stored');
      if (trial.kind === 'works') screen.say('good', `${host} answers, and is kept as ${name} in ${file}${where}`);
      else screen.say('note', `${host} is kept as ${name} in ${file}${where}; it could not be tried: ${trial.why}`);
      return trial.kind === 'works' ? trial.models : [];
    } catch (error) {
      if (!(error instanceof FluffyError)) throw error;
      screen.say('bad', `${error.what}: ${error.why}`);
    }
  }
}

/** Of `provider/model`, with room for a number behind it. */
const MAX_NAME = 36;

/** A name derived from an endpoint's host, with a number if it is taken. */
export function endpointName(host: string, isTaken: (name: string) => boolean): string {
  const words = host
    .toLowerCase()
    .replace(/^(?:api|www)\./, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_NAME)
    .replace(/-+$/, '');
  const name = words === '' ? 'own' : words;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
