import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { checkKeyText } from './key-text.ts';
import type { Keyring } from './keyring.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import type { ProviderEndpoint, ProviderEnvironment } from './provider-endpoints.ts';

export interface KeySources {
  /** The user's own environment. */
  readonly env: ProviderEnvironment;
  readonly keysDirectory: string;
  readonly keyring: Keyring;
}

export type FoundKey =
  | { readonly kind: 'found'; readonly key: string; readonly from: 'environment' | 'keyring' | 'file' }
  | { readonly kind: 'not-needed' };

/**
 * The key of an endpoint: from the environment, then the keyring, then the file. It is returned only for that endpoint's sandbox, and is neither
 * logged nor stored. Throws FluffyError `provider_key_missing`, `key_file_unsafe`, `key_unusable`.
 */
export async function findKey(endpoint: ProviderEndpoint, sources: KeySources): Promise<FoundKey> {
  const ref = endpoint.keyRef;
  if (ref.kind === 'none') return { kind: 'not-needed' };
  const value = ref.variable === null ? undefined : sources.env[ref.variable];
  if (value !== undefined && value !== '') {
    return { kind: 'found', key: checkKeyText(value, `$${ref.variable}`), from: 'environment' };
  }
  if (ref.kind === 'variable') throw missing(endpoint.name, `Set ${ref.variable} in your environment`);
  const fromKeyring = await sources.keyring.read(ref.name);
  if (fromKeyring.kind === 'found') {
    return { kind: 'found', key: checkKeyText(fromKeyring.key, 'the keyring'), from: 'keyring' };
  }
  const path = join(sources.keysDirectory, ref.name);
  const fromFile = await readPrivateFile(
    path,
    `Remove it, then store the key again: fluffy config set-key ${ref.name}`,
  );
  if (fromFile !== null) return { kind: 'found', key: checkKeyText(fromFile, path), from: 'file' };
  const alternative = ref.variable === null ? '' : `Set ${ref.variable}, or `;
  throw missing(
    endpoint.name,
    `${alternative}store it: fluffy config set-key ${ref.name} (it is read from standard input)`,
  );
}

/**
 * Stores a key, `text` as read from standard input, in the keyring or else in a 0600 file. Returns where, for the user. Throws FluffyError
 * `key_unusable`.
 */
export async function setKey(
  name: string,
  text: string,
  sources: Omit<KeySources, 'env'>,
): Promise<'keyring' | 'file'> {
  const key = checkKeyText(text, 'standard input');
  if ((await sources.keyring.write(name, key)) === 'stored') return 'keyring';
  await writePrivateFile(join(sources.keysDirectory, name), `${key}\n`, { ifAbsent: false });
  return 'file';
}

function missing(provider: string, fix: string): FluffyError {
  return new FluffyError({
    code: 'provider_key_missing',
    what: `There is no key for ${provider}`,
    why: 'neither your environment, nor the keyring, nor your keys directory has one',
    fix,
    exitCode: EXIT.usage,
  });
}
