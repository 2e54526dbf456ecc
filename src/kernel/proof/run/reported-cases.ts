import type { TestCase } from '../../../contracts/sandbox/test-run.ts';
import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import type { SecretPrefix } from '../../../lib/secrets/secret-rules.ts';

const MAX_NAME = 500;
const MAX_MESSAGE = 2000;

/**
 * The reason of an invalid run, for reports. Secrets are removed and the length is limited, because a program may have
 * printed it.
 */
export function reportedReason(why: string, prefixes: readonly SecretPrefix[]): string {
  return cleaned(why, MAX_MESSAGE, prefixes);
}

function cleaned(text: string, max: number, prefixes: readonly SecretPrefix[]): string {
  const { text: redacted } = redactSecrets(text, prefixes);
  return redacted.length <= max ? redacted : `${redacted.slice(0, max - 1)}…`;
}

/**
 * Cases for reports and storage. The project's code wrote their names and messages, so secrets are removed and lengths
 * are limited.
 */
export function reportedCases(cases: readonly TestCase[], prefixes: readonly SecretPrefix[]): TestCase[] {
  const clean = (text: string, max: number): string => cleaned(text, max, prefixes);
  return cases.map((each) => {
    const reported = { ...each, file: clean(each.file, MAX_NAME), name: clean(each.name, MAX_NAME) };
    if (each.failure === undefined) return reported;
    const { kind, message, missing } = each.failure;
    const failure = { kind, message: clean(message, MAX_MESSAGE) };
    if (missing === undefined) return { ...reported, failure };
    const name = missing.export === undefined ? {} : { export: clean(missing.export, MAX_NAME) };
    return {
      ...reported,
      failure: { ...failure, missing: { specifier: clean(missing.specifier, MAX_NAME), ...name } },
    };
  });
}
