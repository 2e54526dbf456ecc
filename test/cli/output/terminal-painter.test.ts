import { expect, it } from 'vitest';
import { hasColours } from '../../../src/cli/output/terminal-painter.ts';

const FOUND = { level: 2, hasBasic: true, has256: true, has16m: false } as const;

it.each([
  ['as many as the terminal has', {}, true],
  ['none with NO_COLOR', { NO_COLOR: '1' }, false],
  ['none with NO_COLOR, as the screen sets it for its colour library', { NO_COLOR: '1', FORCE_COLOR: '0' }, false],
  ['those that FORCE_COLOR names, whatever NO_COLOR says', { NO_COLOR: '1', FORCE_COLOR: '2' }, true],
])('the screen has colours: %s', (_, env, colours) => {
  expect(hasColours(env, FOUND)).toBe(colours);
});
