import type { ReportedResult } from './reported-result.ts';

const RESULT = /^(not )?ok\b(?:\s+\d+)?(?:\s*-)?\s*(.*?)(?:\s+#\s*(skip|todo)\b.*)?$/i;

/** What a line says of a test; null for a line that is no result, or one of a sub-test. */
export function readTapResult(line: string): Pick<ReportedResult, 'name' | 'status'> | null {
  if (!/^(?:not )?ok\b/.test(line)) return null;
  const [, not, name = '', directive] = RESULT.exec(line) ?? [];
  return { name, status: directive !== undefined ? 'skipped' : not === undefined ? 'passed' : 'failed' };
}

/**
 * The results of a TAP stream (versions 12 to 14), those of sub-tests in their parent. A plan that was not kept is a failed result, and so is a stream
 * without one: tests may be missing.
 */
export function readTap(text: string): ReportedResult[] {
  const results: (ReportedResult & { readonly said: string[] })[] = [];
  let planned: number | null = null;
  let bailed: string | null = null;
  for (const line of text.split('\n')) {
    const plan = /^1\.\.(\d+)/.exec(line);
    if (plan !== null) planned = Number(plan[1]);
    else if (/^Bail out!/i.test(line)) bailed = line;
    else {
      const result = readTapResult(line);
      if (result === null) results.at(-1)?.said.push(line);
      else {
        results.push({
          name: result.name === '' ? `test ${results.length + 1}` : result.name,
          place: '',
          status: result.status,
          isError: false,
          seconds: 0,
          message: '',
          said: [],
        });
      }
    }
  }
  const found = results.map(({ said, ...each }) => ({ ...each, message: said.join('\n').trim() }));
  const problem = bailed ?? planProblem(planned, found.length);
  return problem === null
    ? found
    : [...found, { name: '(plan)', place: '', status: 'failed', isError: false, seconds: 0, message: problem }];
}

function planProblem(planned: number | null, found: number): string | null {
  if (planned === null) return 'the TAP stream has no plan: tests may be missing';
  return planned === found ? null : `${planned} tests were planned and ${found} reported`;
}
