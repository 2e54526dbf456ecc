import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import type { SecretPrefix } from '../../lib/secrets/secret-rules.ts';

export interface Sanitised {
  readonly text: string;
  /** Names of the rules for secrets that found something. */
  readonly redacted: readonly string[];
  readonly truncated: boolean;
}

/** A usual estimate, good enough for a limit. */
const CHARACTERS_PER_TOKEN = 4;

/** A tool's result as the model, the log and people see it: without secrets, then cut in its middle to the limit. */
export function sanitise(text: string, prefixes: readonly SecretPrefix[], maxTokens: number): Sanitised {
  const clean = redactSecrets(text, prefixes);
  const max = maxTokens * CHARACTERS_PER_TOKEN;
  if (clean.text.length <= max) return { ...clean, truncated: false };
  const head = clean.text.slice(0, Math.floor(max * 0.6));
  const tail = clean.text.slice(clean.text.length - Math.floor(max * 0.35));
  const left = clean.text.length - head.length - tail.length;
  return { text: `${head}\n… ${left} characters left out …\n${tail}`, redacted: clean.redacted, truncated: true };
}
