import { Chalk } from 'chalk';
import type { ChalkInstance, ColorSupportLevel } from 'chalk';
import type { Row, Span } from './span.ts';
import { THEMES } from './theme.ts';
import type { Style, Theme, ThemeName } from './theme.ts';

/** Turns rows into terminal output. The only place in which text gets styles; spans contain no styles. */
export interface Painter {
  readonly theme: ThemeName;
  row(row: Row): string;
}

type Paint = (text: string) => string;

/** `level`: how many colours the terminal has: none, 16, 256 or all. Without `hasLinks`, a terminal with colours is taken to support links. */
export function createPainter(name: ThemeName, level: ColorSupportLevel, hasLinks = level > 0): Painter {
  const chalk = new Chalk({ level });
  const theme = THEMES[level < 2 && name !== 'none' && name !== 'contrast' ? 'ansi' : name];
  const known = new Map<string, Paint>();
  const paintOf = ({ role, ground }: Span): Paint => {
    const key = `${role} ${ground ?? ''}`;
    const paint = known.get(key) ?? makePaint(chalk, styleOf(theme, role, ground));
    known.set(key, paint);
    return paint;
  };
  return { theme: name, row: (row) => row.map((span) => linked(span, paintOf(span)(span.text), hasLinks)).join('') };
}

/** OSC 8: the terminal opens the address when the text is clicked. */
function linked({ link }: Span, painted: string, hasLinks: boolean): string {
  return link === undefined || !hasLinks ? painted : `\x1b]8;;${link}\x1b\\${painted}\x1b]8;;\x1b\\`;
}

const OWN_LOOK: readonly Span['role'][] = ['spelled', 'blank', 'look-alike'];

/** In a theme without backgrounds, the ground colours the text. */
function styleOf(theme: Theme, role: Span['role'], ground: Span['ground']): Style {
  if (ground === undefined) return theme.roles[role];
  const behind = theme.grounds[ground];
  return behind.background !== undefined || OWN_LOOK.includes(role)
    ? { ...behind, ...theme.roles[role] }
    : { ...theme.roles[role], ...behind };
}

function makePaint(chalk: ChalkInstance, { color, background, ...flags }: Style): Paint {
  let paint = chalk;
  if (color !== undefined) paint = color.startsWith('#') ? paint.hex(color) : paint[color as 'red'];
  if (background !== undefined)
    paint = chalk.level >= 3 ? paint.bgHex(background.hex) : paint.bgAnsi256(background.ansi256);
  for (const flag of Object.keys(flags) as (keyof typeof flags)[]) paint = paint[flag];
  return paint === chalk ? (text) => text : (text) => paint(text);
}
