import { policyQuerySchema } from '../../../../contracts/policy.ts';
import type { CompiledPolicy } from '../../../../kernel/policy/index.ts';
import { parseStrictJson } from '../../../../lib/strict-json.ts';
import { jsonLine } from '../../../../lib/json-line.ts';
import { explainQuery } from './explain-query.ts';

/** A request is a few hundred bytes; a longer line is answered with an error and not stored. */
const MAX_LINE_BYTES = 64 * 1024;

/** One line of input: its bytes, or null if it was too long. */
type Line = Uint8Array | null;

/**
 * Answers each line of `input` with one line of JSON, in the same order, as they arrive. An invalid line is answered with `error` (and the decision
 * deny, for readers that only use the decision), and the rest continues.
 */
export async function* explainBatch(
  policy: CompiledPolicy,
  input: AsyncIterable<Uint8Array>,
  projectRoot: string | null,
): AsyncGenerator<string> {
  for await (const lines of linesOf(input)) {
    let answers = '';
    for (const line of lines) answers += jsonLine(answerLine(policy, line, projectRoot));
    if (answers !== '') yield answers;
  }
}

function answerLine(policy: CompiledPolicy, line: Line, projectRoot: string | null): object {
  const bad = (error: string) => ({ decision: 'deny', rules: [], reasons: [], error });
  if (line === null) return bad(`the line is longer than ${MAX_LINE_BYTES} bytes`);
  const json = parseStrictJson(line);
  if (!json.ok) return bad(json.reason);
  const query = policyQuerySchema.safeParse(json.value);
  if (!query.success) {
    return bad(query.error.issues.map((issue) => `${[...issue.path, ''].join(': ')}${issue.message}`).join('; '));
  }
  return explainQuery(policy, query.data, projectRoot);
}

const LINE_FEED = 0x0a;

/** The lines that each chunk completes. An unfinished last line counts; an empty one after the last line feed does not. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const finish = (): Line => {
    const line = length > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    keep(chunk.subarray(start));
    yield lines;
  }
  if (length > 0) yield [finish()];
}
