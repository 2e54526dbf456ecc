import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { usage } from '../usage-error.ts';
import { parseJson } from '../../lib/parse-json.ts';

const lineSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message'), text: z.string() }),
  z.strictObject({ type: z.literal('approve'), reason: z.string().optional() }),
  z.strictObject({ type: z.literal('reject'), reason: z.string().optional(), tests: z.literal(true).optional() }),
  z.strictObject({ type: z.literal('interrupt') }),
]);

/** A frame to the kernel holds 8 MiB, including everything around the text. */
const MAX_LINE_BYTES = 8 * 1024 * 1024 - 64 * 1024;

export type InputLine = z.infer<typeof lineSchema>;

/** `--input-format stream-json`: one object per line. An unknown line is reported and skipped. */
export async function* readInputLines(stdin: Readable, onBadLine: (why: string) => void): AsyncGenerator<InputLine> {
  let number = 0;
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    number += 1;
    if (line.trim() === '') continue;
    if (Buffer.byteLength(line) > MAX_LINE_BYTES)
      throw usage(
        `line ${number} of the input is longer than 8 MiB`,
        'Send the part that matters, or put it into a file of the project and name that',
      );
    const parsed = lineSchema.safeParse(parseJson(line));
    if (parsed.success) yield parsed.data;
    else onBadLine(`line ${number} of the input is not {"type":"message"|"approve"|"reject"|"interrupt",…}`);
  }
}
