/** One line of requirements.txt that names a package of the index. */
export interface Requirement {
  /** Normalised as the index does: lower case, `-` for every separator. */
  readonly name: string;
  /** Without its hashes, on one line. */
  readonly line: string;
  /** Set only for `==`. */
  readonly version: string | null;
  readonly hashes: readonly string[];
}

export type RequirementsOutcome =
  | { readonly kind: 'requirements'; readonly requirements: readonly Requirement[] }
  | { readonly kind: 'unreadable'; readonly why: string };

const NAME = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[A-Za-z0-9._, -]*\])?\s*/;
const SPECIFIERS = /^(?:(?:===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+(?:\s*,\s*|$))*$/;
const HASH = /^--hash=(sha(?:256|384|512):[0-9a-f]{64,128})$/;

/**
 * Reads the index packages of requirements.txt. A file with options, addresses, paths or other files is unreadable, because they bypass the index
 * that the user has configured. Pure.
 */
export function readRequirements(text: string): RequirementsOutcome {
  const requirements: Requirement[] = [];
  for (const line of logicalLines(text)) {
    const read = readLine(line);
    if (read === null) return { kind: 'unreadable', why: `it has the line ${JSON.stringify(line.slice(0, 100))}` };
    requirements.push(read);
  }
  const locked = requirements.filter(({ hashes }) => hashes.length > 0).length;
  if (locked > 0 && locked < requirements.length)
    return { kind: 'unreadable', why: 'some of its packages have hashes, and others have none' };
  return { kind: 'requirements', requirements };
}

/** Whether every package has hashes, so that the same is installed everywhere. True for a file without packages. */
export function isLocked(requirements: readonly Requirement[]): boolean {
  return requirements.every(({ hashes }) => hashes.length > 0);
}

export function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

/** The specifier for a requested version; null if pip does not know its form. */
export function specifierOf(version: string | undefined): string | null {
  if (version === undefined) return '';
  if (/^[0-9]/.test(version)) return SPECIFIERS.test(`==${version}`) ? `==${version}` : null;
  return SPECIFIERS.test(version) ? version : null;
}

/** The text before lines that are added at the end of requirements.txt. */
export function startOf(requirements: string): string {
  return requirements === '' || requirements.endsWith('\n') ? requirements : `${requirements}\n`;
}

function readLine(line: string): Requirement | null {
  const words = line.split(/\s+/);
  const hashes = words.flatMap((word) => HASH.exec(word)?.[1] ?? []);
  const rest = words.filter((word) => !HASH.test(word));
  if (rest.some((word) => word.startsWith('-'))) return null;
  const own = rest.join(' ');
  const [requirement = ''] = own.split(';', 1);
  const named = NAME.exec(requirement);
  if (named === null) return null;
  const specifiers = requirement.slice(named[0].length).trim();
  if (!SPECIFIERS.test(specifiers)) return null;
  return {
    name: normalName(named[1] ?? ''),
    line: own,
    version: /^==\s*([A-Za-z0-9.+!_-]+)$/.exec(specifiers)?.[1] ?? null,
    hashes,
  };
}

/** Without comments; a line that ends in a backslash continues in the next one. */
function logicalLines(text: string): string[] {
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  return lines.map((line) => line.replace(/(?:^|\s)#.*$/, '').trim()).filter((line) => line !== '');
}
