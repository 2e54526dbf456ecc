import type { TestCase } from '../../contracts/test-run.ts';
import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import type { SecretPrefix } from '../../lib/secrets/secret-rules.ts';

const MAX_NAME = 500;
const MAX_MESSAGE = 2000;

/** Cases as they are told and stored: what the project's own code wrote into names and messages, without secrets and bounded. */
export function toldCases(cases: readonly TestCase[], prefixes: readonly SecretPrefix[]): TestCase[] {
  const clean = (text: string, max: number): string => {
    const { text: redacted } = redactSecrets(text, prefixes);
    return redacted.length <= max ? redacted : `${redacted.slice(0, max - 1)}…`;
  };
  return cases.map((each) => {
    const told = { ...each, file: clean(each.file, MAX_NAME), name: clean(each.name, MAX_NAME) };
    if (each.failure === undefined) return told;
    const { kind, message, missing } = each.failure;
    const failure = { kind, message: clean(message, MAX_MESSAGE) };
    if (missing === undefined) return { ...told, failure };
    const name = missing.export === undefined ? {} : { export: clean(missing.export, MAX_NAME) };
    return { ...told, failure: { ...failure, missing: { specifier: clean(missing.specifier, MAX_NAME), ...name } } };
  });
}
