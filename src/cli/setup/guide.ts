import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { PickerEntry } from '../../tui/panel/panel.ts';
import type { SetUpLine, SetUpScreen } from '../../tui/setup/set-up-steps.ts';
import { safeLine } from '../../tui/store/safe-text.ts';
import type { LocalServer } from '../models/local-models.ts';
import { modelsOfOwnEndpoint } from './own-endpoint.ts';
import type { OwnEndpointParts } from './own-endpoint.ts';
import type { KeyTrial } from './try-key.ts';

export interface Vendor {
  readonly name: string;
  readonly title: string;
  readonly hasKey: boolean;
}

export interface Finding {
  readonly mark: SetUpLine['mark'];
  readonly text: string;
}

export interface GuideParts extends Pick<OwnEndpointParts, 'endpointAt' | 'tryEndpoint' | 'keepEndpoint'> {
  readonly screen: SetUpScreen;
  readonly localServers: () => Promise<readonly LocalServer[]>;
  readonly vendors: () => Promise<readonly Vendor[]>;
  readonly tryKey: (vendor: string, key: string) => Promise<KeyTrial>;
  /** Resolves to where it is stored. Throws FluffyError for an invalid key. */
  readonly storeKey: (vendor: string, key: string) => Promise<string>;
  /** Known models of a vendor, `vendor/name`. */
  readonly modelsOf: (vendor: string) => readonly string[];
  /** Into the user's configuration. Resolves to the file. */
  readonly keepModel: (model: string) => Promise<string>;
  /** Engine, project and tests. */
  readonly findings: () => Promise<readonly Finding[]>;
}

/** No provider has a blank in its name. */
const OWN_ENDPOINT = 'own endpoint';

/**
 * Guides from nothing to the first session: a provider, its key, a model, and the other requirements. Resolves to whether a model is set up; nothing
 * is stored without being announced first.
 */
export async function guideSetUp(parts: GuideParts): Promise<boolean> {
  const { screen } = parts;
  screen.say('note', 'Set-up in three steps: who answers, their key, a model. Esc leaves; nothing is sent to a model');
  screen.busy('looking for models on this machine');
  const servers = await parts.localServers();
  const vendors = await parts.vendors();
  const isLocal = servers.some(({ models }) => models.length > 0);
  const chosen = await screen.choose(
    isLocal
      ? 'Whose model answers? Those on this machine need no key'
      : 'Whose model answers? None was found on this machine',
    providerEntries(servers, vendors),
  );
  const server = servers.find(({ provider }) => provider === chosen);
  const vendor = vendors.find(({ name }) => name === chosen) ?? null;
  const models =
    chosen === OWN_ENDPOINT
      ? await modelsOfOwnEndpoint(parts)
      : (server?.models ?? (vendor === null ? null : await modelsOfVendor(parts, vendor)));
  const model = models === null ? null : await chooseModel(parts, models);
  if (model === null) {
    screen.say('note', 'Nothing more was set up. fluffy init begins again');
    return false;
  }
  screen.say('good', `The model is ${model}, kept in ${await parts.keepModel(model)}`);
  screen.busy('looking at the engine and the project');
  for (const { mark, text } of await parts.findings()) screen.say(mark, text);
  return true;
}

function providerEntries(servers: readonly LocalServer[], vendors: readonly Vendor[]): readonly PickerEntry[] {
  const entry = (id: string, title: string, aside: string): PickerEntry => ({
    id,
    label: safeLine(title),
    aside: safeLine(aside),
    preview: [],
  });
  const local = servers.filter(({ models }) => models.length > 0);
  return [
    ...local.map(({ provider, title, models }) => entry(provider, title, `on this machine, models: ${models.length}`)),
    ...vendors
      .toSorted((a, b) => Number(b.hasKey) - Number(a.hasKey))
      .map(({ name, title, hasKey }) => entry(name, title, hasKey ? 'its key is there' : 'needs a key')),
    entry(OWN_ENDPOINT, 'Another OpenAI-compatible endpoint', 'you give its address'),
  ];
}

/** Null: no key was given. */
async function modelsOfVendor(parts: GuideParts, vendor: Vendor): Promise<readonly string[] | null> {
  const known = parts.modelsOf(vendor.name);
  if (vendor.hasKey) return known;
  const listed = await keyOf(parts, vendor);
  if (listed === null) return null;
  const usable = known.filter((model) => listed.includes(model.slice(vendor.name.length + 1)));
  return usable.length === 0 ? known : usable;
}

/** Asks until a key is stored. Resolves to the models that the vendor lists for it. */
async function keyOf(
  { screen, tryKey, storeKey }: GuideParts,
  { name, title }: Vendor,
): Promise<readonly string[] | null> {
  for (;;) {
    const given = await screen.secret(`Key of ${title}, it is not shown:`);
    if (given === null) return null;
    const key = given.trim();
    if (key === '') {
      screen.say('bad', 'No key was entered. Paste it and press Enter; Esc leaves the set-up');
      continue;
    }
    screen.busy(`trying the key with ${title}`);
    const trial = await tryKey(name, key);
    if (trial.kind === 'refused') {
      screen.say('bad', `${title} refuses this key (${trial.why}); it was not stored`);
      continue;
    }
    try {
      const where = await storeKey(name, key);
      if (trial.kind === 'works') screen.say('good', `The key of ${title} works, and is stored in ${where}`);
      else screen.say('note', `The key of ${title} is stored in ${where}; it could not be tried: ${trial.why}`);
      return trial.kind === 'works' ? trial.models : [];
    } catch (error) {
      if (!(error instanceof FluffyError)) throw error;
      screen.say('bad', `${error.what}: ${error.why}`);
    }
  }
}

async function chooseModel({ screen }: GuideParts, models: readonly string[]): Promise<string | null> {
  const [only] = models;
  if (models.length === 1 && only !== undefined) return only;
  const entries = models.map((id): PickerEntry => ({ id, label: safeLine(id), aside: safeLine(''), preview: [] }));
  return screen.choose('Which model?', entries);
}
