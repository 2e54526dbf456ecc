import { z } from 'zod';
import type { ProjectPath } from '../../contracts/ids.ts';
import type { ToolSpec } from '../../contracts/model/model.ts';
import type { CommandEffects } from '../../contracts/policy.ts';
import type { CutKind } from '../../lib/text/cut-text.ts';
import type { SessionState } from '../../contracts/session/workflow-states.ts';
import type { ToolPlugin } from './plugins.ts';
import { adaptInput } from './shared/adapt-input.ts';
import type { ForeignInput } from './shared/adapt-input.ts';
import type { ToolAnswer } from './tool-answer.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * Where a tool runs. `kernel`: in the kernel itself. `patch`: in a sandbox that sees no files and returns a patch.
 * `overlay`: in a sandbox on a copy of project and staging. `test`: in the sandbox of the test runner. `packages`: in
 * the sandbox of a package manager, which sees manifest, lockfile and the registry.
 */
export type ToolPlace = 'kernel' | 'patch' | 'overlay' | 'test' | 'packages';

/** `read` changes nothing and may be repeated. `workflow` changes the state of the session. */
export type ToolEffect = 'read' | 'write' | 'run' | 'workflow';

/** Paths as the model sent them. Two calls conflict if one writes what the other reads or writes. */
export interface TouchedPaths {
  readonly reads: readonly string[] | 'everything';
  readonly writes: readonly string[] | 'everything';
}

/** States in which a call is open, and a sentence that says what opens it in the others. */
export interface Openness {
  readonly states: readonly SessionState[];
  readonly opens: string;
}

/** `max_result_tokens` of the policy limits `maxTokens`. The part that is cut stays readable with `output.read`. */
export interface ResultLimit {
  readonly maxTokens: number;
  readonly keep: CutKind;
}

export const DEFAULT_RESULT: ResultLimit = { maxTokens: 2_000, keep: 'ends' };

/** Everything about a tool, with the type of its input. */
export interface ToolDefinition<Input> {
  /** Matches `TOOL_NAME`; also the syscall that policy rules name. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Names of this tool in other agents: a call by such a name is answered with the right name. */
  readonly synonyms?: readonly string[];
  /** How other agents write its input; used for an input that does not fit. */
  readonly foreign?: ForeignInput;
  /** JSON Schema for the model, if it should not be derived from `input`, for example a server's own schema. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly place: ToolPlace;
  readonly effect: ToolEffect;
  readonly plugin: ToolPlugin;
  /** States in which it is open, and what opens it in the others. */
  readonly states: readonly SessionState[];
  readonly opens: string;
  /** Paths that a call names, in order; policy decides about each. Default: none. */
  readonly paths?: (input: Input) => readonly string[];
  /** For each of `paths`, the syscalls that policy is asked about; default: the tool's own name. */
  readonly syscalls?: (input: Input) => readonly (readonly string[])[];
  /**
   * `tree`: a path means the link itself and not its target, and a directory with everything below it. Default: `file`.
   */
  readonly target?: 'file' | 'tree';
  /** What it reads and writes, if that differs from its effect (`touchedBy`). */
  readonly touches?: (input: Input) => TouchedPaths;
  /** Further paths that it writes; `writes` are the named ones with everything below them. */
  readonly alsoWrites?: (named: readonly ProjectPath[], writes: readonly ProjectPath[]) => readonly ProjectPath[];
  /** Size of the file that it writes, if it is known before the tool runs. */
  readonly sizeBytes?: (input: Input) => number;
  /** Commands that it runs, each a program with its arguments; policy decides about each. Default: none. */
  readonly commands?: (input: Input) => readonly (readonly string[])[];
  /** What happens to the changes of its commands. */
  readonly effects?: (input: Input) => CommandEffects;
  /**
   * If this input closes states that are open otherwise: the states that it leaves open, and what opens it in the
   * others. Default: none.
   */
  readonly narrows?: (input: Input) => Openness | null;
  /** The group of hosts that the call needs; null for no network. Default: no network. */
  readonly network?: (input: Input) => string | null;
  /** What a person who reviews a call should know. Default: nothing. */
  readonly warnings?: (input: Input) => readonly string[];
  /** How much of its result the model gets, and which part. Default: `DEFAULT_RESULT`. */
  readonly result?: ResultLimit;
  /** A short description of a call for people, shown after the tool's name. Default: its paths. */
  readonly describe?: (input: Input) => string;
  readonly perform: (input: Input, context: ToolContext) => ToolAnswer | Promise<ToolAnswer>;
}

/** One use of a tool, with a checked input and the properties that follow from it. */
export interface ToolUse {
  readonly tool: Tool;
  readonly input: unknown;
  readonly paths: readonly string[];
  /** For each of `paths`; empty: the tool's name. */
  readonly syscalls: readonly (readonly string[])[];
  readonly touches: TouchedPaths;
  /** null if it is not known before the tool runs. */
  readonly sizeBytes: number | null;
  readonly commands: readonly (readonly string[])[];
  readonly effects: CommandEffects | null;
  readonly openness: Openness;
  readonly network: string | null;
  readonly warnings: readonly string[];
  /** For people; may contain secrets. */
  readonly words: string;
  perform(context: ToolContext): Promise<ToolAnswer>;
}

/** A tool in the registry. The type of its input is hidden behind `use`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly synonyms: readonly string[];
  readonly place: ToolPlace;
  readonly effect: ToolEffect;
  readonly plugin: ToolPlugin;
  readonly states: readonly SessionState[];
  readonly opens: string;
  readonly target: 'file' | 'tree';
  readonly result: ResultLimit;
  readonly alsoWrites: (named: readonly ProjectPath[], writes: readonly ProjectPath[]) => readonly ProjectPath[];
  /** For the model. */
  readonly spec: ToolSpec;
  /** The use of the tool with this input, or why the input does not fit. */
  use(
    input: unknown,
  ): { readonly kind: 'ok'; readonly use: ToolUse } | { readonly kind: 'invalid'; readonly why: string };
}

export const TOOL_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Throws for an invalid name. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, place, effect, plugin, states, opens, target = 'file' } = definition;
  if (!TOOL_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a tool`);
  let spec: ToolSpec | undefined;
  const tool: Tool = {
    name,
    description,
    synonyms: definition.synonyms ?? [],
    place,
    effect,
    plugin,
    states,
    opens,
    target,
    result: definition.result ?? DEFAULT_RESULT,
    alsoWrites: definition.alsoWrites ?? (() => []),
    get spec() {
      return (spec ??= {
        name,
        description,
        input_schema: { ...(definition.inputSchema ?? schemaOf(definition.input)) },
      });
    },
    use: (sent) => {
      const asSent = definition.input.safeParse(sent);
      const { input_schema: schema } = tool.spec;
      const parsed = asSent.success
        ? asSent
        : definition.input.safeParse(adaptInput(sent, schema, definition.foreign ?? {}));
      if (!parsed.success) return { kind: 'invalid', why: whyNot(parsed.error, schema) };
      return { kind: 'ok', use: useOf(tool, definition, parsed.data) };
    },
  };
  return tool;
}

function useOf<Input>(tool: Tool, definition: ToolDefinition<Input>, input: Input): ToolUse {
  const paths = definition.paths?.(input) ?? [];
  return {
    tool,
    input,
    paths,
    syscalls: definition.syscalls?.(input) ?? [],
    touches: definition.touches?.(input) ?? touchedBy(tool.effect, paths),
    commands: definition.commands?.(input) ?? [],
    effects: definition.effects?.(input) ?? null,
    openness: definition.narrows?.(input) ?? { states: tool.states, opens: tool.opens },
    sizeBytes: definition.sizeBytes?.(input) ?? null,
    network: definition.network?.(input) ?? null,
    warnings: definition.warnings?.(input) ?? [],
    words: definition.describe?.(input) ?? paths.join(' '),
    perform: async (context) => definition.perform(input, context),
  };
}

/**
 * A read without a path reads the whole project. A tool that runs commands or changes the state conflicts with every
 * call.
 */
function touchedBy(effect: ToolEffect, paths: readonly string[]): TouchedPaths {
  switch (effect) {
    case 'read':
      return { reads: paths.length === 0 ? 'everything' : paths, writes: [] };
    case 'write':
      return { reads: paths, writes: paths };
    case 'run':
    case 'workflow':
      return { reads: 'everything', writes: 'everything' };
  }
}

/** What does not fit, a line each; if a field is unknown, also the known fields. */
function whyNot(error: z.ZodError, { properties }: Readonly<Record<string, unknown>>): string {
  const fields = Object.keys(properties ?? {});
  const isUnknown = error.issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0);
  const why = error.issues.map(faultOf).join('\n');
  return isUnknown && fields.length > 0 ? `${why}\nFields: ${fields.join(', ')}.` : why;
}

function faultOf(issue: z.core.$ZodIssue): string {
  const where = z.core.toDotPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = `There is no field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    return where === '' ? `${unknown}.` : `${unknown} in ${where}.`;
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return `${where} is missing (${issue.expected}).`;
  }
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

/**
 * Without maximum text lengths, which no normal input reaches: they would be a tenth of the tool descriptions in every
 * request.
 */
function schemaOf(input: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
      delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Record<string, unknown>;
  return schema;
}
