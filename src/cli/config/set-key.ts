import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import { SHORTEST_SECRET, providerNameSchema } from '../../contracts/model/provider-config.ts';
import { providerEndpoints, secretServiceKeyring, setKey } from '../../host/secrets/index.ts';
import type { CliServices } from '../command-line/cli-command.ts';
import { readPipedInput } from '../headless/read-stdin.ts';
import { usage } from '../usage-error.ts';
import { loadUserConfig, userConfigFile } from './load-config.ts';
import { readSecret } from './read-secret.ts';

/** `fluffy config set-key PROVIDER`: the key is read from standard input and never shown, even if it was given in place of the provider's name. */
export async function setKeyCommand(
  { provider }: { readonly provider: string },
  { env, output, stdin }: CliServices,
): Promise<ExitCode> {
  const user = userDirs(env);
  const names = await keyNames(userConfigFile(env), env);
  if (!names.includes(provider))
    throw usage(
      'no provider with a key has the given name; the text is not repeated here, because it could be a key',
      `fluffy config set-key NAME with one of ${names.join(', ')}; add others under providers in your config.yaml first`,
    );
  const text = stdin.isTTY
    ? await readSecret(stdin, output, `Key of ${provider} (it is not shown): `)
    : await piped(stdin);
  if (text === null || text.trim() === '')
    throw usage('standard input had no key', 'Paste it, or pipe it: fluffy config set-key anthropic < key.txt');
  const stored = await setKey(provider, text, { keysDirectory: user.keys, keyring: secretServiceKeyring(env) });
  const where = stored === 'keyring' ? 'the keyring' : join(user.keys, provider);
  output.stderr(`The key of ${provider} is stored in ${where}\n`);
  if (text.trim().length < SHORTEST_SECRET)
    output.stderr(
      `warning: it has fewer than ${SHORTEST_SECRET} characters, as no vendor's key has: it is not taken out of what its server prints\n`,
    );
  return EXIT.done;
}

/** Names under which a key can be stored: the providers that need one, and the names in `api_key_ref` of the user's configuration. */
export async function keyNames(configFile: string, env: CliServices['env']): Promise<readonly string[]> {
  const { providers } = await loadUserConfig(configFile);
  const endpoints = [...providerEndpoints(providers, env).values()];
  const stored = endpoints.flatMap(({ keyRef }) => (keyRef.kind === 'stored' ? [keyRef.name] : []));
  const own = Object.keys(providers);
  return [...new Set([...stored, ...own])].filter((name) => providerNameSchema.safeParse(name).success);
}

async function piped(stdin: NodeJS.ReadStream): Promise<string | null> {
  const input = await readPipedInput(stdin);
  return input.kind === 'text' ? input.text : null;
}
