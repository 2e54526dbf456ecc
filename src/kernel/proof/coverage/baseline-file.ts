import { coverageBaselineSchema } from '../../../contracts/review/coverage.ts';
import type { CoverageBaseline } from '../../../contracts/review/coverage.ts';

export type ReadBaseline =
  { readonly kind: 'ok'; readonly baseline: CoverageBaseline } | { readonly kind: 'invalid'; readonly why: string };

/** Pure: what the baseline file says. */
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

/** Pure: the file, for people to read in a diff. */
export function baselineText({ version, lines, runner, languages }: CoverageBaseline): string {
  return `${JSON.stringify({ version, lines, runner, languages: [...languages].sort() }, null, 2)}\n`;
}
