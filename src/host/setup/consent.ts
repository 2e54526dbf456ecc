import { createInterface } from 'node:readline/promises';
import { beforeSignalledEnd } from '../../lib/ending-signals.ts';

/** Whether set-up may change the machine: install a package, start a service. */
export type Consent =
  | { readonly kind: 'given' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'ask'; readonly ask: (question: string) => Promise<boolean> };

export interface ConsentSources {
  /** `--yes` */
  readonly yes: boolean;
  readonly env: Readonly<Partial<Record<'FLUFFY_YES' | 'CI', string | undefined>>>;
  /** Whether a person at a terminal can be asked. */
  readonly interactive: boolean;
}

/** `--yes`, `FLUFFY_YES=1` and `CI=true` give consent; a person at a terminal is asked; without an answer the result is no. */
export function consentFrom({ yes, env, interactive }: ConsentSources): Consent {
  if (yes || env.FLUFFY_YES === '1' || env.CI === 'true') return { kind: 'given' };
  return interactive ? { kind: 'ask', ask: askAtTerminal } : { kind: 'refused' };
}

export async function isGiven(consent: Consent, question: string): Promise<boolean> {
  return consent.kind === 'ask' ? consent.ask(question) : consent.kind === 'given';
}

/** Only a typed y or yes is consent; an empty line is not. */
async function askAtTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stopWatching = beforeSignalledEnd(() => terminal.close());
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    stopWatching();
    terminal.close();
  }
}
