import { supportsColor } from 'chalk';
import { createPainter } from '../../tui/text/paint.ts';
import type { Painter } from '../../tui/text/paint.ts';
import type { ThemeName } from '../../tui/text/theme.ts';
import type { LinkSetting } from './link-setting.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How this process's standard output is painted: by the configured theme, with as many colours as its terminal has. */
export function terminalPainter(env: Environment, configured: ThemeName | undefined, links?: LinkSetting): Painter {
  const hasLinks = links === undefined ? undefined : links === 'on' || (links === 'auto' && knowsLinks(env));
  return createPainter(configured ?? assumedTheme(env), colourLevel(env), hasLinks);
}

/** Terminals ignore sequences that they do not know, but for these. */
function knowsLinks({ TERM: term = '', STY: screen }: Environment): boolean {
  return !/^(?:dumb|linux|eterm)/.test(term) && screen === undefined;
}

/** Used if no theme is configured and the terminal was not asked. */
export function assumedTheme(env: Environment): ThemeName {
  return hasLightBackground(env['COLORFGBG']) ? 'light' : 'dark';
}

/** Without colours no theme is visible. */
export function hasColours(env: Environment, found = supportsColor): boolean {
  return colourLevel(env, found) > 0;
}

/** `NO_COLOR` switches detected colours off, `FORCE_COLOR` sets a level in any case. */
function colourLevel(env: Environment, found = supportsColor): 0 | 1 | 2 | 3 {
  // `supportsColor` is computed at the first import, so a level of 0 that was set later is checked here.
  if (env['FORCE_COLOR'] === '0') return 0;
  const forced = (env['FORCE_COLOR'] ?? '') !== '';
  if (!forced && ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb')) return 0;
  return found === false ? 0 : found.level;
}

/** `foreground;background`, which some terminals set: of the 16 colours 7 and those from 9 on are light. */
function hasLightBackground(colours: string | undefined): boolean {
  const background = Number(colours?.split(';').at(-1) ?? 0);
  return background === 7 || background > 8;
}
