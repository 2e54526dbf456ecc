import type { InferredOptionTypes, Options } from 'yargs';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { connectKernel } from '../connect-kernel.ts';
import type { Signals } from '../headless/signals.ts';
import type { Environment } from '../open-project.ts';
import type { Output } from '../output/output.ts';

/** What a command has access to. It uses its process only through these services, so that a test can replace them. */
export interface CliServices {
  readonly env: Environment;
  readonly output: Output;
  readonly stdin: NodeJS.ReadStream;
  /** Listens for SIGINT and SIGTERM from the call on. */
  readonly signals: () => Signals;
  readonly connect: typeof connectKernel;
}

/** A word of a command line that is not an option. Words are taken in order. */
export interface ArgumentSpec {
  readonly name: string;
  readonly describe: string;
  readonly required?: true;
  /** Takes all remaining words, joined by blanks. */
  readonly rest?: true;
}

export type OptionTable = Readonly<Record<string, Options>>;

export interface Example {
  readonly line: string;
  readonly what: string;
}

/**
 * Everything about one command: it controls how the command line is parsed; help and completion are derived from it. `O` and `A` are the types of its
 * options and arguments, `I` is the result of `read`.
 */
export interface CommandDefinition<O extends OptionTable, A extends readonly ArgumentSpec[], I> {
  /** The words of its name: `doctor`, `session list`, `config policy show`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: A;
  /** Its own options; `GLOBAL_OPTIONS` are added. */
  readonly options: O;
  readonly examples: readonly Example[];
  /** Every possible exit code. */
  readonly exitCodes: readonly ExitCode[];
  /** An unexpected word may be a secret and is not repeated on the screen. */
  readonly secretWords?: true;
  /** It prints a list or a document, of which a reader such as head may read only a part: it is no error if the reader ends. */
  readonly readerMayLeave?: true;
  /** Only programs call it: it is not in the list of commands. */
  readonly forPrograms?: true;
  /** It neither reads nor writes the user's directories, and works if they cannot exist. */
  readonly withoutHome?: true;
  /** Checks options and arguments together. Throws FluffyError `usage`. */
  read(given: Given<O, A>): I;
  /** Large modules are imported in here, so that no command waits for another one's modules. */
  run(input: I, services: CliServices): Promise<ExitCode>;
}

/** A command without its types, as the registry holds it. */
export interface CliCommand extends Omit<
  CommandDefinition<OptionTable, readonly ArgumentSpec[], unknown>,
  'run' | 'read'
> {
  /** Throws FluffyError `usage`. `input` is what `read` returned. */
  bind(given: Readonly<Record<string, unknown>>): {
    readonly input: unknown;
    run(services: CliServices): Promise<ExitCode>;
  };
}

export function defineCommand<const O extends OptionTable, const A extends readonly ArgumentSpec[], I>(
  definition: CommandDefinition<O, A, I>,
): CliCommand {
  const { read, run, ...known } = definition;
  return {
    ...known,
    bind: (given) => {
      const input = read(given as Given<O, A>);
      return { input, run: (services) => run(input, services) };
    },
  };
}

/** Options that every command takes. */
export const GLOBAL_OPTIONS = {
  project: { type: 'string', requiresArg: true, describe: 'The project to work on (default: the current directory)' },
  'allow-root': { type: 'boolean', default: false, describe: 'Work on a project that belongs to root' },
  json: { type: 'boolean', default: false, describe: 'Answer in JSON' },
} as const satisfies OptionTable;

export interface GlobalInput {
  readonly project: string | undefined;
  readonly allowRoot: boolean;
  readonly json: boolean;
}

/** Options by their names in camel case, arguments by their names. */
export type Given<O extends OptionTable, A extends readonly ArgumentSpec[]> = GlobalInput & {
  readonly [K in keyof O as CamelCase<K & string>]: InferredOptionTypes<O>[K];
} & {
  readonly [S in A[number] as S['name']]: S extends { required: true } ? string : string | undefined;
};

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;
