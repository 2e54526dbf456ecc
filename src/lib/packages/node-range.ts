import { Range, intersects } from 'semver';

const MAX_LENGTH = 80;
/** The names that nvm and others use for LTS release lines. */
const LTS_NAMES: Readonly<Record<string, number>> = {
  'lts/fermium': 14,
  'lts/gallium': 16,
  'lts/hydrogen': 18,
  'lts/iron': 20,
  'lts/jod': 22,
  'lts/krypton': 24,
};

/** The versions of Node that a project accepts. */
export interface NodeRange {
  readonly text: string;
  /** Whether it contains some version with this major number. */
  allows(major: number): boolean;
  /** Whether it contains this version, such as `20.18.1`. */
  has(version: string): boolean;
}

/**
 * Parses a version (`v18.1.0`, `18`, `lts/hydrogen`) or an npm range (`^18
 * >=20`); null for anything else. Pure.
 */
export function parseNodeRange(written: string): NodeRange | null {
  const text = written.trim().replace(/\s+/g, ' ');
  if (written.length > MAX_LENGTH || text === '' || text.split('||').some((each) => each.trim() === '')) return null;
  const named = Object.entries(LTS_NAMES).find(([name]) => name === text.toLowerCase().replace('lts-', 'lts/'));
  const range = rangeOf(named === undefined ? text : String(named[1]));
  if (range === null) return null;
  return { text, allows: (major) => intersects(range, `${major}.x`), has: (version) => range.test(version) };
}

function rangeOf(text: string): Range | null {
  try {
    return new Range(text);
  } catch {
    return null;
  }
}
