import { join, relative } from 'node:path';
import ts from 'typescript';
import { REPOSITORY, sourceFiles } from './source-files.ts';

/** A code that a person can meet, with the exit codes of the errors that carry it; none for a notice, which ends nothing. */
export interface FoundCode {
  readonly code: string;
  readonly exitCodes: readonly number[];
}

export interface ErrorCodes {
  readonly codes: readonly FoundCode[];
  /** `file:line` of errors whose code the types leave open: nobody could tell whether it is documented. */
  readonly untyped: readonly string[];
}

const SENTENCES = ['code', 'what', 'why', 'fix'];
/** Pass errors on that were typed where they were made: from the sockets of guard, kernel and supervisor, and from a run to its events. */
const RELAYS: readonly string[] = [
  'src/host/runtime-guard/engine-answers.ts',
  'src/cli/kernel-client/kernel-error.ts',
  'src/cli/supervisor/supervisor-protocol.ts',
  'src/kernel/run/end-run.ts',
];

/**
 * Reads, with the compiler's own types, every code in the source: of each `new FluffyError({…})`, and of each object that has the sentences of an
 * error (a notice). Every name of a union counts.
 */
export function readErrorCodes(files = sourceFiles().map(({ path }) => join(REPOSITORY, path))): ErrorCodes {
  const program = ts.createProgram(files, compilerOptions());
  const checker = program.getTypeChecker();
  const exits = new Map<string, Set<number>>();
  const untyped: string[] = [];

  const take = (object: ts.ObjectLiteralExpression, source: ts.SourceFile): void => {
    const code = typeOf(checker, object, 'code');
    if (code === null) return;
    const names = literals(code).filter((value) => typeof value === 'string');
    const path = relative(REPOSITORY, source.fileName);
    if (names.length === 0) {
      const { line } = source.getLineAndCharacterOfPosition(object.getStart(source));
      if (!RELAYS.includes(path)) untyped.push(`${path}:${line + 1}`);
      return;
    }
    const exit = typeOf(checker, object, 'exitCode');
    const numbers = exit === null ? [] : literals(exit).filter((value) => typeof value === 'number');
    for (const name of names) exits.set(name, new Set([...(exits.get(name) ?? []), ...numbers]));
  };

  for (const source of program.getSourceFiles()) {
    if (!files.includes(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText(source) === 'FluffyError') {
        const [argument] = node.arguments ?? [];
        if (argument !== undefined && ts.isObjectLiteralExpression(argument)) take(argument, source);
        else untyped.push(relative(REPOSITORY, source.fileName));
      } else if (ts.isObjectLiteralExpression(node) && !ts.isNewExpression(node.parent) && isNotice(checker, node)) {
        take(node, source);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  const codes = [...exits].map(([code, numbers]) => ({ code, exitCodes: [...numbers].sort((a, b) => a - b) }));
  return { codes: codes.sort((a, b) => (a.code < b.code ? -1 : 1)), untyped };
}

/** An object with the four sentences as texts; a schema of them has the same keys and is none. */
function isNotice(checker: ts.TypeChecker, node: ts.ObjectLiteralExpression): boolean {
  // What it takes over from another object counts too.
  const type = checker.getTypeAtLocation(node);
  if (!SENTENCES.every((name) => type.getProperty(name) !== undefined)) return false;
  const code = typeOf(checker, node, 'code');
  return code !== null && (code.flags & ts.TypeFlags.Object) === 0;
}

function typeOf(checker: ts.TypeChecker, object: ts.ObjectLiteralExpression, name: string): ts.Type | null {
  const property = object.properties.find((each) => each.name?.getText() === name);
  if (property === undefined) return null;
  if (ts.isPropertyAssignment(property)) return checker.getTypeAtLocation(property.initializer);
  const value = checker.getShorthandAssignmentValueSymbol(property);
  return value === undefined ? null : checker.getTypeOfSymbol(value);
}

function literals(type: ts.Type): readonly unknown[] {
  return (type.isUnion() ? type.types : [type]).flatMap((each) => (each.isLiteral() ? [each.value] : []));
}

function compilerOptions(): ts.CompilerOptions {
  const read = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { compilerOptions: options } = read.config as { readonly compilerOptions: unknown };
  return ts.convertCompilerOptionsFromJson(options, REPOSITORY).options;
}
