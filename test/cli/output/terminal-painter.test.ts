import { expect, it, vi } from 'vitest';

const found = vi.hoisted(() => ({ supportsColor: { level: 2 } }));
vi.mock('chalk', async (original) => ({ ...(await original<object>()), ...found }));

const { hasColours } = await import('../../../src/cli/output/terminal-painter.ts');

it.each([
  ['as many as the terminal has', {}, true],
  ['none with NO_COLOR', { NO_COLOR: '1' }, false],
  ['none with NO_COLOR, as the screen sets it for its colour library', { NO_COLOR: '1', FORCE_COLOR: '0' }, false],
  ['those that FORCE_COLOR names, whatever NO_COLOR says', { NO_COLOR: '1', FORCE_COLOR: '2' }, true],
])('the screen has colours: %s', (_, env, colours) => {
  expect(hasColours(env)).toBe(colours);
});
