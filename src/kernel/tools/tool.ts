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
 * Where a tool runs. `kernel`: in the kernel itself. `patch`: in a sandbox that sees no files and answers with a patch. `overlay`: in a sandbox on a
 * copy of project and staging. `test`: in the sandbox of the test runner. `packages`: in the sandbox of a package manager, which sees manifest and
 * lockfile, and the registry.
 */
export type ToolPlace = 'kernel' | 'patch' | 'overlay' | 'test' | 'packages';

/** `read` changes nothing and may be repeated. `workflow` moves the session on. */
export type ToolEffect = 'read' | 'write' | 'run' | 'workflow';

/** Paths as the model sent them; two calls conflict if one writes what the other reads or writes. */
export interface TouchedPaths {
  readonly reads: readonly string[] | 'everything';
  readonly writes: readonly string[] | 'everything';
}

/** States in which a call is open, and a sentence that says what opens it in the others. */
export interface Openness {
  readonly states: readonly SessionState[];
  readonly opens: string;
}

/** The policy's `max_result_tokens` bounds `maxTokens`. What is cut stays readable with `output.read`. */
export interface ResultLimit {
  readonly maxTokens: number;
  readonly keep: CutKind;
}

export const DEFAULT_RESULT: ResultLimit = { maxTokens: 2_000, keep: 'ends' };

/** All that is known of a tool, with the type of its input. */
export interface ToolDefinition<Input> {
  /** Matches `TOOL_NAME`; also the syscall that policy rules name. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** What other agents call it: a call by such a name is answered with the right one. */
  readonly synonyms?: readonly string[];
  /** How other agents write its input: what does not fit is read so. */
  readonly foreign?: ForeignInput;
  /** JSON Schema for the model, where it is not to be made from `input`: a server's own. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly place: ToolPlace;
  readonly effect: ToolEffect;
  readonly plugin: ToolPlugin;
  /** States in which it is open, and what opens it in the others. */
  readonly states: readonly SessionState[];
  readonly opens: string;
  /** Paths that a call names, in order: policy decides about each. Default: none. */
  readonly paths?: (input: Input) => readonly string[];
  /** For each of `paths`, what policy is asked about it; default: the tool's own name. */
  readonly syscalls?: (input: Input) => readonly (readonly string[])[];
  /** `tree`: a path means the link itself and not what it points at, and a directory with all beneath it. Default: `file`. */
  readonly target?: 'file' | 'tree';
  /** What it reads and writes, where that is not what its effect says (`touchedBy`). */
  readonly touches?: (input: Input) => TouchedPaths;
  /** Paths that it writes beside those that it names; `writes` are the named ones with all beneath them. */
  readonly alsoWrites?: (named: readonly ProjectPath[], writes: readonly ProjectPath[]) => readonly ProjectPath[];
  /** Bytes of the file that it writes, where that is known before it runs. */
  readonly sizeBytes?: (input: Input) => number;
  /** What it runs, each a program with its arguments: policy decides about each. Default: none. */
  readonly commands?: (input: Input) => readonly (readonly string[])[];
  /** What becomes of the changes of its commands. */
  readonly effects?: (input: Input) => CommandEffects;
  /** Where this input closes states that are open otherwise: those that it leaves open, and what opens it in the others. Default: none. */
  readonly narrows?: (input: Input) => Openness | null;
  /** The group of hosts that the call needs, or null for no network. Default: no network. */
  readonly network?: (input: Input) => string | null;
  /** What a person who is asked about a call should know of it. Default: nothing. */
  readonly warnings?: (input: Input) => readonly string[];
  /** How much of its result the model gets, and which part. Default: `DEFAULT_RESULT`. */
  readonly result?: ResultLimit;
  /** What a call does, for people: some words beside the tool's name. Default: its paths. */
  readonly describe?: (input: Input) => string;
  readonly perform: (input: Input, context: ToolContext) => ToolAnswer | Promise<ToolAnswer>;
}

/** One use of a tool: its input is checked, what follows from it is known. */
export interface ToolUse {
  readonly tool: Tool;
  readonly input: unknown;
  readonly paths: readonly string[];
  /** For each of `paths`; empty: the tool's name. */
  readonly syscalls: readonly (readonly string[])[];
  readonly touches: TouchedPaths;
  /** null: not known before it runs. */
  readonly sizeBytes: number | null;
  readonly commands: readonly (readonly string[])[];
  readonly effects: CommandEffects | null;
  readonly openness: Openness;
  readonly network: string | null;
  readonly warnings: readonly string[];
  /** For people; not cleaned of secrets. */
  readonly words: string;
  perform(context: ToolContext): Promise<ToolAnswer>;
}

/** A tool as the registry holds it: its input's type is behind `use`. */
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
  /** The use of it with this input, or why the input does not fit. */
  use(
    input: unknown,
  ): { readonly kind: 'ok'; readonly use: ToolUse } | { readonly kind: 'invalid'; readonly why: string };
}

export const TOOL_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Throws for a name that is not one. */
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

/** A read without a path is of the whole project. What runs or moves the session on is alone. */
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

/** What does not fit, a line each, and which fields there are where one is unknown. */
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

/** Without the bounds of texts, which no honest input meets: they would be a tenth of what describes the tools in every request. */
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
