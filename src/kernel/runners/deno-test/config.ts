import { z } from 'zod';
import { parseJsonc } from '../../../lib/parse-jsonc.ts';
import type { ProjectFiles } from '../runner.ts';

const list = z.array(z.string()).optional().catch(undefined);
const configSchema = z.looseObject({
  tasks: z
    .record(z.string(), z.union([z.string(), z.looseObject({ command: z.string().optional() })]))
    .optional()
    .catch(undefined),
  test: z.looseObject({ include: list }).optional().catch(undefined),
  importMap: z.string().optional().catch(undefined),
});

/** The parts of `deno.json` that affect how tests run. */
export interface DenoConfig {
  readonly name: string;
  readonly tasks: Readonly<Record<string, string>>;
  /** undefined if the file has no section `test`. */
  readonly include: readonly string[] | undefined;
  readonly importMap: string | undefined;
}

/** Returns null if there is no such file, or it cannot be read. */
export function readDenoConfig(project: Pick<ProjectFiles, 'text'>): DenoConfig | null {
  const name = ['deno.json', 'deno.jsonc'].find((each) => project.text(each) !== '');
  const parsed = name === undefined ? undefined : configSchema.safeParse(parseJsonc(project.text(name)));
  if (name === undefined || parsed?.success !== true) return null;
  const { tasks = {}, test, importMap } = parsed.data;
  const commands = Object.entries(tasks).map(
    ([task, value]) => [task, typeof value === 'string' ? value : (value.command ?? '')] as const,
  );
  return { name, tasks: Object.fromEntries(commands), include: test && (test.include ?? []), importMap };
}
