export interface RequiredModule {
  readonly version: string;
  /** Required by another module: no package of the project imports it. */
  readonly isIndirect: boolean;
}

/** The parts of a go.mod that fluffy reads. */
export interface GoMod {
  readonly module: string;
  readonly requires: ReadonlyMap<string, RequiredModule>;
  /** Modules that are replaced by a directory. */
  readonly toDirectories: readonly string[];
  /** Version in the `go` directive. */
  readonly go: string | null;
  /** Version in the `toolchain` directive. */
  readonly toolchain: string | null;
  /** Excluded module versions; Go itself sorts them and puts them into a block. */
  readonly excludes: ReadonlySet<string>;
  /** All other directives, each as if outside of a block, and all comments. */
  readonly rest: readonly string[];
}

export type GoModOutcome =
  { readonly kind: 'mod'; readonly mod: GoMod } | { readonly kind: 'unreadable'; readonly why: string };

const OPENS = /^([a-z]+)\s*\($/;
const COMMENT = /(?:^|\s)\/\/.*$/;
const INDIRECT = /\/\/\s*indirect\s*(?:;.*)?$/;

/** Reads go.mod line by line; an unknown line makes it unreadable. Pure. */
export function readGoMod(text: string): GoModOutcome {
  const requires = new Map<string, RequiredModule>();
  const toDirectories: string[] = [];
  const excludes = new Set<string>();
  const rest: string[] = [];
  let module = '';
  let go: string | null = null;
  let toolchain: string | null = null;
  let block: string | null = null;
  for (const raw of text.split(/\r?\n/)) {
    const full = raw.trim();
    const line = full.replace(COMMENT, '').trim();
    const comment = COMMENT.exec(full)?.[0].trim();
    if (full === '') continue;
    const opened: string | undefined = OPENS.exec(line)?.[1];
    if (line === '' || opened !== undefined || line === ')') {
      if ((opened !== undefined) !== (block === null) && line !== '') return unreadable(full);
      if (comment !== undefined) rest.push(comment);
      if (line !== '') block = opened ?? null;
      continue;
    }
    const words = wordsOf(line);
    const [verb, ...args] = block === null ? words : [block, ...words];
    if (verb === undefined || words.some((word) => /[()]/.test(word))) return unreadable(full);
    const [first = '', second = ''] = args;
    if (verb === 'require') {
      if (args.length !== 2) return unreadable(full);
      requires.set(first, { version: second, isIndirect: INDIRECT.test(full) });
      continue;
    }
    if (verb === 'go') {
      go = first;
      continue;
    }
    if (verb === 'toolchain') toolchain = first;
    if (verb === 'exclude') excludes.add([...args, ...(comment === undefined ? [] : [comment])].join(' '));
    if (verb === 'toolchain' || verb === 'exclude') continue;
    if (verb === 'module') module = first;
    if (verb === 'replace' && args.slice(args.indexOf('=>') + 1).length !== 2) toDirectories.push(first);
    rest.push([verb, ...args, ...(comment === undefined ? [] : [comment])].join(' '));
  }
  if (module === '') return { kind: 'unreadable', why: 'it names no module' };
  return { kind: 'mod', mod: { module, requires, toDirectories, go, toolchain, excludes, rest } };
}

/** Words may be in quotes. */
function wordsOf(line: string): string[] {
  return (line.match(/"[^"]*"|`[^`]*`|\S+/g) ?? []).map((word) => word.replaceAll(/^["`]|["`]$/g, ''));
}

function unreadable(line: string): GoModOutcome {
  return { kind: 'unreadable', why: `it has the line ${JSON.stringify(line.slice(0, 200))}` };
}
