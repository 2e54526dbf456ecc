/** How the test programs of a cargo package are built, and what the compiler says where they are not. */
import { basename, dirname } from 'node:path';
import { output } from '../program-output.ts';

export interface CargoPackage {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly directory: string;
  readonly targets: readonly CargoTarget[];
}

export interface CargoTarget {
  readonly name: string;
  readonly kind: readonly string[];
  readonly src_path: string;
}

export interface CargoProject {
  readonly root: string;
  readonly packages: readonly CargoPackage[];
}

/** A test program, by the first file of its target. */
export interface TestProgram {
  readonly rootFile: string;
  readonly isIntegrationTest: boolean;
  readonly executable: string;
}

interface Span {
  readonly file_name: string;
  readonly byte_start: number;
  readonly is_primary: boolean;
  /** Of code that a macro makes: the call of the macro. */
  readonly expansion: { readonly span: Span } | null;
}

export interface Place {
  /** Relative to the project's root, or absolute outside of it. */
  readonly file: string;
  readonly startByte: number;
  /** Where the error is, as against what explains it. */
  readonly isPrimary: boolean;
}

export interface CompilerError {
  /** The first file of the target that was compiled. */
  readonly rootFile: string;
  readonly code: string | null;
  /** As rustc prints it. */
  readonly rendered: string;
  /** Files that it or its notes point to, relative to the project's root. */
  readonly files: readonly string[];
  readonly places: readonly Place[];
}

export interface Built {
  readonly programs: readonly TestProgram[];
  readonly errors: readonly CompilerError[];
  /** What cargo itself says. */
  readonly said: string;
}

interface Message {
  readonly reason: string;
  readonly target?: CargoTarget;
  readonly executable?: string | null;
  readonly profile?: { readonly test: boolean };
  readonly message?: {
    readonly level: string;
    readonly code: { readonly code: string } | null;
    readonly rendered: string;
    readonly spans: readonly Span[];
    readonly children: readonly { readonly spans: readonly Span[] }[];
  };
}

/** Says nothing that the errors before it do not say. The linker's own has no code and no place either, and counts. */
const SUMS_UP = /^error: aborting due to /;

/** The packages of a project; a string is why there are none. */
export async function cargoProject(cwd: string): Promise<CargoProject | string> {
  const { stdout, stderr, code } = await output('cargo', ['metadata', '--no-deps', '--format-version=1'], { cwd });
  if (code !== 0) return stderr;
  const found = JSON.parse(stdout) as {
    readonly workspace_root: string;
    readonly packages: readonly {
      readonly id: string;
      readonly name: string;
      readonly version: string;
      readonly manifest_path: string;
      readonly targets: readonly CargoTarget[];
    }[];
  };
  return {
    root: found.workspace_root,
    packages: found.packages.map(({ id, name, version, manifest_path, targets }) => ({
      id,
      name,
      version,
      directory: dirname(manifest_path),
      targets,
    })),
  };
}

export async function buildTests(
  project: CargoProject,
  built: CargoPackage,
  selected: readonly string[],
  settings: readonly string[],
): Promise<Built> {
  const args = ['test', '--no-run', '--message-format=json', `--package=${built.id}`, ...selected, ...settings];
  const { stdout, stderr } = await output('cargo', args, { cwd: project.root });
  const programs: TestProgram[] = [];
  const errors: CompilerError[] = [];
  for (const line of stdout.split('\n')) {
    const found = parse(line);
    if (found?.target === undefined) continue;
    const { target, executable, profile, message } = found;
    if (found.reason === 'compiler-artifact' && profile?.test === true && typeof executable === 'string')
      programs.push({ rootFile: target.src_path, isIntegrationTest: target.kind.includes('test'), executable });
    if (message?.level !== 'error' || SUMS_UP.test(message.rendered)) continue;
    const { code, rendered, spans, children } = message;
    const places = spans.map(placeOf);
    const noted = children.flatMap((child) => child.spans).flatMap(withCalls);
    const files = [...new Set([...spans.flatMap(withCalls), ...noted].map(({ file_name }) => file_name))];
    errors.push({ rootFile: target.src_path, code: code?.code ?? null, rendered, files, places });
  }
  return { programs, errors, said: stderr };
}

/** What a macro makes is at its call: `assert_eq!` itself is in the standard library. */
function placeOf(span: Span): Place {
  const { file_name, byte_start } = withCalls(span).at(-1) ?? span;
  return { file: file_name, startByte: byte_start, isPrimary: span.is_primary };
}

function withCalls(span: Span): Span[] {
  return span.expansion === null ? [span] : [span, ...withCalls(span.expansion.span)];
}

/** Names by which tests call the packages of the project. */
export function crateNames({ packages }: CargoProject): string[] {
  const names = packages.flatMap(({ name, targets }) => [
    name,
    ...targets.filter(({ kind }) => kind.some((each) => each.endsWith('lib'))).map((target) => target.name),
  ]);
  return [...new Set(names.map((name) => basename(name).replaceAll('-', '_')))];
}

function parse(line: string): Message | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Message;
  } catch {
    return null;
  }
}
