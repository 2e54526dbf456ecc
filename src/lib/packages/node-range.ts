/** Major versions from `low` to `high`, both included. */
interface Majors {
  readonly low: number;
  readonly high: number;
}

const MAX_LENGTH = 80;
const ANY: Majors = { low: 0, high: Infinity };
const PART = '(?:\\d{1,6}|[xX*])';
const COMPARATOR = new RegExp(
  `^(\\^|~>?|[<>]=?|=)?[v=]?(${PART})(?:\\.(${PART}))?(?:\\.(${PART}))?(?:[-+][\\w.+-]+)?$`,
);
/** What nvm and others call the lines that get long support. */
const LTS_NAMES: Readonly<Record<string, number>> = {
  'lts/fermium': 14,
  'lts/gallium': 16,
  'lts/hydrogen': 18,
  'lts/iron': 20,
  'lts/jod': 22,
  'lts/krypton': 24,
};

/** Versions of Node that a project asks for, as far as their major versions go. */
export interface NodeRange {
  readonly text: string;
  allows(major: number): boolean;
}

/** Pure: a version (`v18.1.0`, `18`, `lts/hydrogen`) or a range of npm's (`^18 || >=20`). null: it names no versions. */
export function parseNodeRange(written: string): NodeRange | null {
  if (written.length > MAX_LENGTH) return null;
  const text = written.trim().replace(/\s+/g, ' ');
  const named = Object.entries(LTS_NAMES).find(([name]) => name === text.toLowerCase().replace('lts-', 'lts/'));
  const parsed = named === undefined ? text.split('||').map(parseAlternative) : [only(named[1])];
  const alternatives = parsed.filter((each) => each !== null);
  if (alternatives.length < parsed.length) return null;
  return { text, allows: (major) => alternatives.some(({ low, high }) => low <= major && major <= high) };
}

function parseAlternative(text: string): Majors | null {
  // `1.0 - 2.0` is from one to the other; `>= 1.0` is one comparator.
  const words = text
    .trim()
    .replace(/^(\S+) - (\S+)$/, '>=$1 <=$2')
    .replace(/([<>=~^]) /g, '$1')
    .split(' ');
  let majors: Majors = ANY;
  for (const word of words) {
    const next = parseComparator(word);
    if (next === null) return null;
    majors = { low: Math.max(majors.low, next.low), high: Math.min(majors.high, next.high) };
  }
  return majors;
}

function parseComparator(word: string): Majors | null {
  const [, operator = '', first = '', minor, patch] = COMPARATOR.exec(word) ?? [];
  if (first === '') return null;
  const major = Number(first);
  if (Number.isNaN(major)) return ANY;
  switch (operator) {
    case '>=':
      return { low: major, high: Infinity };
    case '>':
      // `>18` begins after all of 18, `>18.0.0` does not.
      return { low: minor === undefined ? major + 1 : major, high: Infinity };
    case '<=':
      return { low: 0, high: major };
    case '<':
      return { low: 0, high: isFirst(minor) && isFirst(patch) ? major - 1 : major };
    default:
      return only(major);
  }
}

function only(major: number): Majors {
  return { low: major, high: major };
}

/** Whether a part of a version leaves it the first one of its line. */
function isFirst(part: string | undefined): boolean {
  return part === undefined || !(Number(part) > 0);
}
