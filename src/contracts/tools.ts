import { z } from 'zod';
import type { ToolSpec } from './model.ts';

/** The tools the model sees. Names are final; descriptions are what the model reads. */

const path = z.string().min(1).max(4096).describe('Path relative to the project.');
const MAX_CONTENT = 4 * 1024 * 1024;

const inputs = {
  'fs.read': z.strictObject({
    path,
    offset: z.number().int().min(1).optional().describe('First line, counting from 1.'),
    limit: z.number().int().min(1).max(20_000).optional().describe('Number of lines.'),
  }),
  'fs.list': z.strictObject({
    path: z.string().max(4096).describe("Directory relative to the project; '.' is the project."),
  }),
  'fs.exists': z.strictObject({ path }),
  'search.grep': z.strictObject({
    pattern: z.string().min(1).max(2000).describe('Regular expression (Rust syntax).'),
    path: z.string().max(4096).optional(),
    glob: z.string().max(500).optional().describe('Only files that match, e.g. **/*.ts'),
    ignore_case: z.boolean().optional(),
    context: z.number().int().min(0).max(20).optional(),
    max_results: z.number().int().min(1).max(2000).optional(),
  }),
  'search.glob': z.strictObject({ pattern: z.string().min(1).max(500), path: z.string().max(4096).optional() }),
  'fs.write': z.strictObject({ path, content: z.string().max(MAX_CONTENT) }),
  'fs.edit': z.strictObject({
    path,
    old_string: z
      .string()
      .min(1)
      .max(MAX_CONTENT)
      .describe('Exact text to replace; must occur once unless replace_all.'),
    new_string: z.string().max(MAX_CONTENT),
    replace_all: z.boolean().optional(),
  }),
  'fs.delete': z.strictObject({ path }),
  'fs.move': z.strictObject({ from: path, to: path }),
  'test.run': z.strictObject({
    paths: z.array(path).max(200).optional().describe('Test files; none means the whole suite.'),
    coverage: z.boolean().optional(),
    network: z.boolean().optional(),
  }),
  'shell.run': z.strictObject({
    command: z.array(z.string().max(32_768)).min(1).max(200).describe('Program and arguments; no shell.'),
    timeout_ms: z.number().int().min(100).max(300_000).optional(),
  }),
  'git.status': z.strictObject({}),
  'git.diff': z.strictObject({ path: path.optional() }),
  'git.log': z.strictObject({ path: path.optional(), limit: z.number().int().min(1).max(200).optional() }),
  'git.commit': z.strictObject({ message: z.string().min(1).max(20_000) }),
  'plan.complete': z.strictObject({
    summary: z.string().min(1).max(10_000),
    steps: z.array(z.string().max(2000)).max(50),
  }),
  'workflow.request_exemption': z.strictObject({
    category: z.enum(['config_change', 'type_refactor', 'documentation', 'asset_update']),
    affected_paths: z.array(path).min(1).max(200),
    reason: z.string().min(1).max(5000),
  }),
  'workflow.revise_tests': z.strictObject({ reason: z.string().min(1).max(5000) }),
  'task.give_up': z.strictObject({ reason: z.string().min(1).max(5000) }),
} as const;

export const TOOL_INPUTS = inputs;
export type ToolName = keyof typeof inputs;
export type ToolInput<T extends ToolName> = z.infer<(typeof inputs)[T]>;
/** A call that has been parsed. */
export type ParsedCall = { readonly [T in ToolName]: { readonly tool: T; readonly input: ToolInput<T> } }[ToolName];

export type ToolPlace = 'kernel' | 'patch' | 'overlay' | 'test';

export interface ToolDefinition {
  readonly name: ToolName;
  readonly place: ToolPlace;
  /** Reads change nothing and may be repeated by the kernel. */
  readonly effect: 'read' | 'write' | 'run' | 'workflow';
  readonly description: string;
}

const define = (
  name: ToolName,
  place: ToolPlace,
  effect: ToolDefinition['effect'],
  description: string,
): ToolDefinition => ({
  name,
  place,
  effect,
  description,
});

export const TOOLS: readonly ToolDefinition[] = [
  define(
    'fs.read',
    'kernel',
    'read',
    'Read a text file, with line numbers. Staged changes of this session are included.',
  ),
  define('fs.list', 'kernel', 'read', 'List a directory.'),
  define('fs.exists', 'kernel', 'read', 'Whether a path exists, and what it is.'),
  define('search.grep', 'kernel', 'read', 'Search file contents with a regular expression.'),
  define('search.glob', 'kernel', 'read', 'Find files by a glob pattern.'),
  define(
    'fs.write',
    'patch',
    'write',
    'Write a whole file, new or existing. Prefer fs.edit for a change to an existing file.',
  ),
  define('fs.edit', 'patch', 'write', 'Replace an exact piece of text in a file.'),
  define('fs.delete', 'overlay', 'write', 'Delete a file or a directory.'),
  define('fs.move', 'overlay', 'write', 'Move or rename a file or a directory.'),
  define(
    'test.run',
    'test',
    'run',
    "Run the project's tests. A failing new test opens the source for writing; the whole suite passing opens the review.",
  ),
  define('shell.run', 'overlay', 'run', 'Run a program in a sandbox. Usually denied by policy; use the other tools.'),
  define('git.status', 'overlay', 'read', "The repository's status, staged changes of this session included."),
  define('git.diff', 'overlay', 'read', 'Changes against HEAD, those of this session included.'),
  define('git.log', 'overlay', 'read', 'Recent commits.'),
  define(
    'git.commit',
    'overlay',
    'workflow',
    'Propose the commit: its message. Only in state reviewing, after all tests pass.',
  ),
  define(
    'plan.complete',
    'kernel',
    'workflow',
    'End planning: what will be done, and the steps. Opens the writing of tests.',
  ),
  define(
    'workflow.request_exemption',
    'kernel',
    'workflow',
    'Ask to change documentation, configuration, type declarations or assets without a test first.',
  ),
  define(
    'workflow.revise_tests',
    'kernel',
    'workflow',
    'Go back from code to tests because a test is wrong. Voids the failing run.',
  ),
  define('task.give_up', 'kernel', 'workflow', 'End the task because it cannot be done, with the reason.'),
];

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): ToolDefinition | undefined {
  return byName.get(name as ToolName);
}

/** What a provider is told of each tool; the schema is JSON Schema made from the same zod schema that checks the call. */
export function toolSpecs(): ToolSpec[] {
  return TOOLS.map((tool) => {
    const { $schema: _, ...schema } = z.toJSONSchema(inputs[tool.name]) as Record<string, unknown>;
    return { name: tool.name, description: tool.description, input_schema: schema };
  });
}
