import { providerVariables } from '../../contracts/model/providers.ts';

const KNOWN: ReadonlySet<string> = new Set([
  'FLUFFY_MODE',
  'FLUFFY_MODEL',
  'FLUFFY_YES',
  'FLUFFY_CONFIG',
  ...providerVariables(),
  'FLUFFY_PASSPHRASE',
  'FLUFFY_SUPERVISOR_IDLE_MS',
  'FLUFFY_SOAK',
]);

/** A misspelt variable is reported, not ignored. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith('FLUFFY_') && !KNOWN.has(name));
}
