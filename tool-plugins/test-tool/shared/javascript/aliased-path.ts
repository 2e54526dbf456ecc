import type { Alias } from './vitest-api.ts';

const MISSING =
  /^(?:Cannot find (?:module|package) '|Failed to resolve import "|Failed to load url )(?<specifier>[^'"\s]+)/;

/** Pure: the absolute path that an alias gives to the module that a message of Vite names as missing; null: no alias has a part in it. */
export function aliasedPath(message: string, aliases: readonly Alias[]): string | null {
  const specifier = MISSING.exec(message)?.groups?.['specifier'];
  if (specifier === undefined) return null;
  const alias = aliases.find(({ find }) =>
    typeof find === 'string'
      ? specifier === find || specifier.startsWith(`${find.replace(/\/$/, '')}/`)
      : find.test(specifier),
  );
  const path = alias === undefined ? specifier : specifier.replace(alias.find, alias.replacement);
  return path !== specifier && path.startsWith('/') && !path.includes("'") ? path : null;
}
