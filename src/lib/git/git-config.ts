import { ownValue } from '../own-value.ts';

/** One setting: `section.key` or `section.subsection.key`, section and key in lower case. A key without `=` is `true`. */
export interface GitSetting {
  readonly name: string;
  readonly value: string;
}

export type GitConfigOutcome =
  | { readonly kind: 'ok'; readonly settings: readonly GitSetting[] }
  | { readonly kind: 'invalid'; readonly line: number };

/**
 * Parses git's configuration format: sections, subsections, quotes, escapes, comments, continued lines. Nothing is expanded and
 * no include is followed.
 */
export function parseGitConfig(text: string): GitConfigOutcome {
  const settings: GitSetting[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  let section = '';
  for (let index = 0; index < lines.length; index++) {
    let rest = (lines[index] ?? '').trimStart();
    const line = index + 1;
    if (rest.startsWith('[')) {
      const header = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\][ \t]*/.exec(rest);
      if (header === null) return { kind: 'invalid', line };
      const name = (header[1] ?? '').toLowerCase();
      section = header[2] === undefined ? name : `${name}.${header[2].replace(/\\(.)/g, '$1')}`;
      rest = rest.slice(header[0].length);
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue;
    const key = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=[ \t]*)?/.exec(rest);
    if (key === null) return { kind: 'invalid', line };
    const name = `${section === '' ? '' : `${section}.`}${(key[1] ?? '').toLowerCase()}`;
    let raw = rest.slice(key[0].length);
    if (key[2] === undefined) {
      if (raw !== '' && !raw.startsWith('#') && !raw.startsWith(';')) return { kind: 'invalid', line };
      settings.push({ name, value: 'true' });
      continue;
    }
    while (endsInBackslash(raw) && index + 1 < lines.length) {
      index++;
      raw = `${raw.slice(0, -1)}${lines[index] ?? ''}`;
    }
    const value = parseValue(raw);
    if (value === null) return { kind: 'invalid', line };
    settings.push({ name, value });
  }
  return { kind: 'ok', settings };
}

/** The last value of a setting wins. `name` as in {@link GitSetting}. */
export function lastSetting(settings: readonly GitSetting[], name: string): string | undefined {
  return settings.findLast((setting) => setting.name === name)?.value;
}

/** A boolean setting in git's words; undefined if it is unset or not a boolean. */
export function booleanSetting(settings: readonly GitSetting[], name: string): boolean | undefined {
  const value = lastSetting(settings, name)?.toLowerCase();
  if (value === undefined) return undefined;
  if (['true', 'yes', 'on', '1'].includes(value)) return true;
  if (['false', 'no', 'off', '0', ''].includes(value)) return false;
  return undefined;
}

function endsInBackslash(raw: string): boolean {
  return (/\\*$/.exec(raw)?.[0].length ?? 0) % 2 === 1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

/** Removes quotes, escapes, comments and outer blanks; null if a quote stays open or an escape is unknown. */
function parseValue(raw: string): string | null {
  let value = '';
  let blanks = '';
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw.charAt(at);
    if (!quoted && (char === '#' || char === ';')) break;
    if (!quoted && (char === ' ' || char === '\t')) {
      blanks += char;
      continue;
    }
    if (value !== '' || quoted) value += blanks;
    blanks = '';
    if (char === '"') {
      quoted = !quoted;
    } else if (char === '\\') {
      const escaped = ownValue(ESCAPES, raw.charAt(++at));
      if (escaped === undefined) return null;
      value += escaped;
    } else {
      value += char;
    }
  }
  return quoted ? null : value;
}
