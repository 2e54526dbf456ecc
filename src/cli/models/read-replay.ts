import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { MAX_HEAD_BYTES } from '../../contracts/ipc-message.ts';
import { replayTurnSchema } from '../../contracts/model/model.ts';
import type { ReplayTurn } from '../../contracts/model/model.ts';
import { replayArguments } from '../../contracts/model/replay-arguments.ts';
import { readRegularFile } from '../../lib/files/read-regular-file.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { scanJsonStructure } from '../../lib/strict-json.ts';
import { firstInvalidUtf8 } from '../../lib/text/decode-utf8.ts';

/** The turns are sent to the kernel in one message with other content. */
const MAX_TURNS_BYTES = MAX_HEAD_BYTES - 1024 * 1024;
/** A larger file is not read at all. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** `JSON.stringify` overflows its stack with some thousand levels more. */
const MAX_DEPTH = 1_000;

const FORM = 'Give a file of JSON lines, one assistant turn each: {"text"?, "calls"?: [{"tool","input"}], "delay_ms"?}';

/** The turns of a recording. Throws FluffyError `replay_unusable`, which names the line if there is one. */
export async function readReplay(file: string): Promise<ReplayTurn[]> {
  const fail = (why: string, fix = FORM): FluffyError => unusable(file, why, fix);
  const read = await readRegularFile(file, { maxBytes: MAX_FILE_BYTES, links: 'followed' });
  if (read.kind === 'missing') throw fail('the file does not exist');
  if (read.kind === 'refused') throw fail(read.why);
  const invalid = firstInvalidUtf8(read.bytes);
  if (invalid !== null) throw fail(`line ${invalid.line} is not UTF-8`);

  const turns: ReplayTurn[] = [];
  let bytes = 0;
  for (const [index, line] of read.bytes.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const turn = readTurn(line.trim());
    if (turn.kind === 'unusable') throw fail(`line ${index + 1}${turn.why}`, turn.fix);
    bytes += Buffer.byteLength(JSON.stringify(turn.turn)) + 1;
    if (bytes > MAX_TURNS_BYTES)
      throw fail(
        `with line ${index + 1} its turns have more than ${MAX_TURNS_BYTES} bytes`,
        'Shorten that turn, or give the turns in several recordings, one for each session',
      );
    turns.push(turn.turn);
  }
  return turns;
}

type ReadTurn =
  | { readonly kind: 'turn'; readonly turn: ReplayTurn }
  | { readonly kind: 'unusable'; readonly why: string; readonly fix?: string };

function readTurn(line: string): ReadTurn {
  if (scanJsonStructure(Buffer.from(line)).depth > MAX_DEPTH)
    return {
      kind: 'unusable',
      why: ` is nested more than ${MAX_DEPTH} levels deep`,
      fix: 'Give arguments that are nested deeper as a string that holds their JSON text',
    };
  const json = parseJson(line);
  if (json === undefined) return { kind: 'unusable', why: ' is not JSON' };
  const parsed = replayTurnSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    return { kind: 'unusable', why: `: ${place}${issue?.message ?? 'not a turn'}` };
  }
  const calls = parsed.data.calls?.map(({ tool, input }) => ({ tool, input: replayArguments(input) }));
  return { kind: 'turn', turn: { ...parsed.data, calls } };
}

function unusable(file: string, why: string, fix: string): FluffyError {
  return new FluffyError({
    code: 'replay_unusable',
    what: `The replay file ${file} cannot be used`,
    why,
    fix,
    exitCode: EXIT.usage,
  });
}
