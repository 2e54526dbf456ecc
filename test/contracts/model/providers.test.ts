import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROVIDERS, PROVIDER_PROGRAMS, placeVariables, vendorHost } from '../../../src/contracts/model/providers.ts';
import type { ProviderDefinition } from '../../../src/contracts/model/providers.ts';
import { providerEndpoints } from '../../../src/host/secrets/index.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const definitions: [string, ProviderDefinition][] = Object.entries(PROVIDERS);

test('each program of the registry is a folder with a program, and no other folder has one', () => {
  const folders = readdirSync(join(REPOSITORY, 'src/providers')).filter((name) =>
    existsSync(join(REPOSITORY, 'src/providers', name, 'main.ts')),
  );
  expect([...PROVIDER_PROGRAMS].sort()).toEqual(folders.sort());
});

describe.each(definitions.filter(([name]) => vendorHost(name) !== null))('%s', (name) => {
  test('the shipped policy lets the kernel ask it at its own host', () => {
    const endpoint = providerEndpoints({}, {}).get(name);
    const host = `${endpoint?.baseUrl.rule.host}:${endpoint?.baseUrl.rule.port}`;
    const policy = parse(read('policy.yaml')) as {
      capabilities: { match: { syscall: string | string[]; host?: string | string[] }; action: string }[];
    };
    const allowed = policy.capabilities.filter(
      ({ match, action }) => [match.syscall].flat().includes('ai.generate') && action === 'allow',
    );
    expect(allowed.flatMap(({ match }) => [match.host ?? []].flat())).toContain(host);
  });
});

test.each(
  definitions.flatMap(([, { keyVariable, endpoint }]) => [
    keyVariable,
    endpoint?.baseUrlVariable ?? null,
    ...(endpoint === null ? [] : placeVariables(endpoint)),
  ]),
)('the documentation names %s', (variable) => {
  if (variable !== null) expect(read('docs/configuration.md')).toContain(`\`${variable}\``);
});
