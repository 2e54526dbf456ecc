import { coverageBaselineSchema } from '../../../contracts/review/coverage.ts';
import type { CoverageBaseline } from '../../../contracts/review/coverage.ts';

export type ReadBaseline =
  { readonly kind: 'ok'; readonly baseline: CoverageBaseline } | { readonly kind: 'invalid'; readonly why: string };

/** Pure: parses the baseline file. */
export function parseBaseline(text: string): ReadBaseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', why: 'it is not JSON' };
  }
  const parsed = coverageBaselineSchema.safeParse(value);
  if (parsed.success) return { kind: 'ok', baseline: parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'invalid', why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown form'}` };
}

/** Pure: returns the text of the baseline file, in a form that people can read in a diff. */
export function baselineText({ version, lines, runner, languages }: CoverageBaseline): string {
  return `${JSON.stringify({ version, lines, runner, languages: [...languages].sort() }, null, 2)}\n`;
}
