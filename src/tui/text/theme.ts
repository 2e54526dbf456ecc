import type { Ground, Role } from './span.ts';

/** How something is drawn. Colours are names of the 16, or hexadecimal; the terminal gets the nearest that it supports. */
export interface Style {
  readonly color?: string;
  /** With the nearest of 256 colours that is dark or light enough: the usual conversion would make both grey. */
  readonly background?: { readonly hex: string; readonly ansi256: number };
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
}

/** Everything about one look of the screen. */
export interface Theme {
  readonly name: ThemeName;
  /** One line for /theme. */
  readonly summary: string;
  readonly roles: Readonly<Record<Role, Style>>;
  readonly grounds: Readonly<Record<Ground, Style>>;
}

export const THEME_NAMES = ['dark', 'light', 'contrast', 'ansi', 'none'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

/** Roles that look the same on every background: the terminal's own 16 colours. */
const OWN_WORDS = {
  plain: {},
  dim: { dim: true },
  strong: { bold: true },
  emphasis: { italic: true },
  good: { color: 'green' },
  bad: { color: 'red' },
  warn: { color: 'yellow' },
  accent: { color: 'cyan' },
  spelled: { inverse: true },
  cursor: { inverse: true },
  blank: { color: 'magenta' },
  'look-alike': { color: 'red', inverse: true },
} as const satisfies Partial<Record<Role, Style>>;

const DARK: Theme = {
  name: 'dark',
  summary: 'for a dark background',
  roles: {
    ...OWN_WORDS,
    keyword: { color: '#c792ea' },
    string: { color: '#a5d6a7' },
    number: { color: '#f78c6c' },
    comment: { color: '#8a94a6', italic: true },
    type: { color: '#ffcb6b' },
    function: { color: '#82aaff' },
    variable: { color: '#eeffff' },
    attribute: { color: '#89ddff' },
    heading: { color: '#82aaff', bold: true },
    link: { color: '#89ddff', underline: true },
    code: { color: '#89ddff' },
  },
  grounds: {
    added: { color: '#e6edf3', background: { hex: '#12301f', ansi256: 22 } },
    removed: { color: '#e6edf3', background: { hex: '#3b1a1f', ansi256: 52 } },
    'added-word': { color: '#ffffff', background: { hex: '#1f5c38', ansi256: 28 }, bold: true },
    'removed-word': { color: '#ffffff', background: { hex: '#72282f', ansi256: 88 }, bold: true },
  },
};

const LIGHT: Theme = {
  name: 'light',
  summary: 'for a light background',
  roles: {
    ...OWN_WORDS,
    warn: { color: '#8a6100' },
    good: { color: '#1a7f37' },
    accent: { color: '#0550ae' },
    keyword: { color: '#8250df' },
    string: { color: '#0a6640' },
    number: { color: '#953800' },
    comment: { color: '#6e7781', italic: true },
    type: { color: '#7d4e00' },
    function: { color: '#0550ae' },
    variable: {},
    attribute: { color: '#0a5c80' },
    heading: { color: '#0550ae', bold: true },
    link: { color: '#0550ae', underline: true },
    code: { color: '#0a5c80' },
  },
  grounds: {
    added: { color: '#1f2328', background: { hex: '#dafbe1', ansi256: 194 } },
    removed: { color: '#1f2328', background: { hex: '#ffebe9', ansi256: 224 } },
    'added-word': { color: '#1f2328', background: { hex: '#9be9a8', ansi256: 157 }, bold: true },
    'removed-word': { color: '#1f2328', background: { hex: '#ffb8b0', ansi256: 217 }, bold: true },
  },
};

const PLAIN_CODE = {
  keyword: {},
  string: {},
  number: {},
  comment: {},
  type: {},
  function: {},
  variable: {},
  attribute: {},
  heading: { bold: true },
  link: { underline: true },
  code: {},
} as const satisfies Partial<Record<Role, Style>>;

const SIXTEEN_GROUNDS: Theme['grounds'] = {
  added: { color: 'green' },
  removed: { color: 'red' },
  'added-word': { color: 'green', bold: true, underline: true },
  'removed-word': { color: 'red', bold: true, underline: true },
};

const CONTRAST: Theme = {
  name: 'contrast',
  summary: 'few colours, strong differences; nothing is dimmed',
  roles: { ...OWN_WORDS, ...PLAIN_CODE, dim: {}, comment: { italic: true }, keyword: { bold: true } },
  grounds: {
    ...SIXTEEN_GROUNDS,
    'added-word': { color: 'green', inverse: true },
    'removed-word': { color: 'red', inverse: true },
  },
};

const ANSI: Theme = {
  name: 'ansi',
  summary: "the terminal's own 16 colours",
  roles: {
    ...OWN_WORDS,
    keyword: { color: 'magenta' },
    string: { color: 'green' },
    number: { color: 'yellow' },
    comment: { dim: true },
    type: { color: 'yellow' },
    function: { color: 'blue' },
    variable: {},
    attribute: { color: 'cyan' },
    heading: { color: 'blue', bold: true },
    link: { color: 'cyan', underline: true },
    code: { color: 'cyan' },
  },
  grounds: SIXTEEN_GROUNDS,
};

const NOTHING = { ...PLAIN_CODE, heading: {}, link: {} };
const NONE: Theme = {
  name: 'none',
  summary: 'no colours and no styles',
  roles: {
    ...NOTHING,
    plain: {},
    dim: {},
    strong: {},
    emphasis: {},
    good: {},
    bad: {},
    warn: {},
    accent: {},
    spelled: {},
    cursor: {},
    blank: {},
    'look-alike': {},
  },
  grounds: { added: {}, removed: {}, 'added-word': {}, 'removed-word': {} },
};

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: DARK,
  light: LIGHT,
  contrast: CONTRAST,
  ansi: ANSI,
  none: NONE,
};
