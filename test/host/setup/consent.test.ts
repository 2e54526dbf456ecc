import { expect, test } from 'vitest';
import { consentFrom, isGiven } from '../../../src/host/setup/consent.ts';

const nobody = { yes: false, env: {}, interactive: false };

test.each([
  ['--yes', { ...nobody, yes: true }, 'given'],
  ['FLUFFY_YES=1', { ...nobody, env: { FLUFFY_YES: '1' } }, 'given'],
  ['CI=true', { ...nobody, env: { CI: 'true' } }, 'given'],
  ['a terminal', { ...nobody, interactive: true }, 'ask'],
  ['nobody to ask', nobody, 'refused'],
  ['FLUFFY_YES=0', { ...nobody, env: { FLUFFY_YES: '0' } }, 'refused'],
  ['FLUFFY_YES=true', { ...nobody, env: { FLUFFY_YES: 'true' } }, 'refused'],
  ['an empty CI', { ...nobody, env: { CI: '' } }, 'refused'],
])('%s', (_name, sources, kind) => {
  expect(consentFrom(sources).kind).toBe(kind);
});

test.each([
  [{ kind: 'given' } as const, true],
  [{ kind: 'refused' } as const, false],
  [{ kind: 'ask', ask: () => Promise.resolve(true) } as const, true],
  [{ kind: 'ask', ask: () => Promise.resolve(false) } as const, false],
])('%o', async (consent, expected) => {
  expect(await isGiven(consent, 'Install?')).toBe(expected);
});
