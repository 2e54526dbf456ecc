import { Range, intersects, validRange } from 'semver';

const MAX_LENGTH = 80;

/** The versions of Python that a project accepts. */
export interface PythonRange {
  /** As it is written. */
  readonly text: string;
  /** Whether it names one exact version, such as `3.12.1`. */
  readonly isExact: boolean;
  /** Whether it contains some version of this minor one, such as `3.12`. */
  allows(minor: string): boolean;
  /** Whether it contains this version, such as `3.12.1`. */
  has(version: string): boolean;
}

/**
 * Parses the name of a version in the files of version managers: `3.12`, `cpython-3.12.1`, `3.13.0rc1`, `3.13-dev`. null for words such as `system`, other
 * implementations, and a major version alone. Pure.
 */
export function parsePythonVersion(written: string): PythonRange | null {
  if (written.length > MAX_LENGTH) return null;
  const [, minor, patch] = /^(?:c?python[-@]?)?(3\.\d+)(\.\d+)?(?![.\d]*\d)/.exec(written) ?? [];
  if (minor === undefined) return null;
  const exact = patch !== undefined && written.endsWith(`${minor}${patch}`);
  return rangeOf(written, exact ? `${minor}${patch}` : minor, exact);
}

/** Parses what a package accepts: `>=3.9,<4`, `~=3.10`, `==3.11.*`, `^3.9`. null if it is no such text. Pure. */
export function parsePythonSpecifier(written: string): PythonRange | null {
  if (written.length > MAX_LENGTH || written.trim() === '') return null;
  const parts = written.split(',').map((part) => partOf(part.trim()));
  return parts.includes(null) ? null : rangeOf(written.trim(), parts.join(' ').trim(), false);
}

/** One clause as npm writes it; null if it is not understood. A version that is left out (`!=`) says nothing about a minor version. */
function partOf(part: string): string | null {
  const [, operator = '', version = '', isPrefix] =
    /^(===?|~=|!=|<=?|>=?|\^|~)?\s*(\d+(?:\.\d+){0,2})(\.\*)?$/.exec(part) ?? [];
  if (version === '') return part === '*' ? '*' : null;
  switch (operator) {
    case '!=':
      return '';
    case '~=':
      return version.split('.').length > 2 ? `~${version}` : `^${version}`;
    case '==':
    case '===':
    case '':
      return isPrefix === undefined ? `=${version}` : `${version}.x`;
    default:
      return `${operator}${version}`;
  }
}

function rangeOf(text: string, npm: string, isExact: boolean): PythonRange | null {
  if (validRange(npm) === null) return null;
  const range = new Range(npm);
  return {
    text,
    isExact,
    allows: (minor) => intersects(range, `${minor}.x`),
    has: (version) => range.test(version),
  };
}
