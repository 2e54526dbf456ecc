import { toByteString } from '../../../lib/globs/glob.ts';
import type { Token } from '../../../lib/globs/token.ts';
import { Wildcards } from '../../../lib/globs/wildcards.ts';

/**
 * The program and the leading arguments of a command, each matched by itself. No text is split and no quoting is
 * interpreted.
 */
export interface CommandPattern {
  readonly source: readonly string[];
  readonly program: ArgumentPattern;
  readonly arguments: readonly ArgumentPattern[];
  /** The pattern ends in `$`: no further argument may follow. */
  readonly complete: boolean;
}

type ArgumentPattern =
  { readonly kind: 'literal'; readonly text: string } | { readonly kind: 'wild'; readonly wildcards: Wildcards };

export type ParsedCommand =
  | { readonly kind: 'ok'; readonly command: CommandPattern }
  /** `reason` completes "the command …". */
  | { readonly kind: 'refused'; readonly reason: string };

const END = '$';

/** In each item `*` matches any number of characters, also zero; a backslash makes the next character literal. */
export function parseCommandPattern(source: readonly string[]): ParsedCommand {
  const complete = source.at(-1) === END;
  const items = complete ? source.slice(0, -1) : source;
  const parsed = items.map(parseArgument);
  const [program, ...rest] = parsed;
  if (program === undefined) return { kind: 'refused', reason: 'names no program' };
  if (program === null || rest.includes(null)) return { kind: 'refused', reason: 'ends an item in a backslash' };
  const others = rest.filter((item) => item !== null);
  return { kind: 'ok', command: { source, program, arguments: others, complete } };
}

/**
 * Whether the command begins like the pattern. `wide` is for rules that deny or require review: they match the program
 * in any directory and in any case. An allow matches only exactly what it names, because `./npm` of a project is not
 * `npm`.
 */
export function matchCommand(pattern: CommandPattern, command: readonly string[], wide: boolean): boolean {
  const [program = '', ...given] = command;
  if (given.length < pattern.arguments.length) return false;
  if (pattern.complete && given.length > pattern.arguments.length) return false;
  if (!matchProgram(pattern.program, program, wide)) return false;
  return pattern.arguments.every((argument, index) => matchArgument(argument, given[index] ?? ''));
}

function matchProgram(pattern: ArgumentPattern, program: string, wide: boolean): boolean {
  if (matchArgument(pattern, program)) return true;
  if (!wide) return false;
  const name = program.slice(program.lastIndexOf('/') + 1);
  return matchArgument(pattern, name) || matchArgument(pattern, name.toLowerCase());
}

function matchArgument(pattern: ArgumentPattern, text: string): boolean {
  return pattern.kind === 'literal' ? pattern.text === text : pattern.wildcards.matches(toByteString(text));
}

function parseArgument(source: string): ArgumentPattern | null {
  const tokens: Token[] = [];
  const bytes = toByteString(source);
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === '*') {
      if (tokens.at(-1)?.kind !== 'rest') tokens.push({ kind: 'rest' });
      continue;
    }
    if (bytes[at] === '\\') at += 1;
    if (at === bytes.length) return null;
    tokens.push({ kind: 'byte', code: bytes.charCodeAt(at) });
  }
  if (tokens.some(({ kind }) => kind === 'rest')) return { kind: 'wild', wildcards: new Wildcards(tokens) };
  return { kind: 'literal', text: source.replaceAll(/\\(.)/gsu, '$1') };
}
