import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROVIDER_PROGRAMS, hasEndpoint } from '../../../src/contracts/model/providers.ts';
import { PACKAGE_MANAGER_NAMES } from '../../../src/contracts/sandbox/package-managers.ts';
import { PROGRAMS, SANDBOX_PROGRAMS, hasServiceSockets } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import { SANDBOX_TEMPLATES, TEMPLATES, perTemplate } from '../../../src/contracts/sandbox/sandbox-templates.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');

test.each(SANDBOX_TEMPLATES)('%s has a seccomp profile, and a program that runs in it', (template) => {
  expect(existsSync(join(REPOSITORY, 'seccomp', `${TEMPLATES[template].seccomp}.json`))).toBe(true);
  expect(PROGRAMS.some((program) => SANDBOX_PROGRAMS[program].templates.includes(template))).toBe(true);
});

test.each(PROGRAMS)('%s has a context for each of its images, but for those that the user names', (program) => {
  for (const image of SANDBOX_PROGRAMS[program].images.filter((each) => each !== 'project' && each !== 'service')) {
    expect(existsSync(join(REPOSITORY, 'sandbox-images', image, 'context.json')), image).toBe(true);
  }
});

test('the shipped policy has as many places for a template as the table', () => {
  const policy = parse(readFileSync(join(REPOSITORY, 'policy.yaml'), 'utf8')) as {
    scheduler: { per_template: Record<string, number> };
  };
  expect(perTemplate(({ places }) => places)).toMatchObject(policy.scheduler.per_template);
});

test('only a provider with an endpoint, a package manager and the network of a test run get service sockets', () => {
  const found = PROGRAMS.flatMap((program) =>
    SANDBOX_PROGRAMS[program].templates
      .filter((template) => hasServiceSockets(program, template))
      .map((template) => `${program} in ${template}`),
  );
  const withEndpoint = PROVIDER_PROGRAMS.filter(hasEndpoint).map((name) => `provider:${name} in ai-provider`);
  expect(withEndpoint).toContain('provider:anthropic in ai-provider');
  expect(withEndpoint).not.toContain('provider:replay in ai-provider');
  expect(found).toEqual([
    ...withEndpoint,
    ...PACKAGE_MANAGER_NAMES.map((name) => `packages:${name} in integration-test`),
    'network in integration-test',
  ]);
});
