/** Runs a test program that rustc built, and reads its events (`--format json` of libtest). */
import { output } from '../program-output.ts';
import type { ProgramOutput } from '../program-output.ts';

export interface RustTest {
  readonly name: string;
  /** As the compiler saw it. */
  readonly source_path: string;
}

export interface RustCase {
  readonly name: string;
  /** Each verdict that was reported; more than one is a lie. */
  readonly verdicts: ('ok' | 'failed' | 'ignored')[];
  output: string;
  seconds: number;
}

export interface RustRun {
  readonly cases: ReadonlyMap<string, RustCase>;
  /** Whether the program came to its own end. */
  readonly ended: boolean;
  /** Why its summary does not agree with its cases; null where it does. */
  readonly contradiction: string | null;
  readonly code: number | null;
  /** Lines that are no events, and what it wrote to stderr. */
  readonly said: string;
}

interface Event {
  readonly type: string;
  readonly event: string;
  readonly name?: string;
  readonly stdout?: string;
  readonly message?: string;
  readonly exec_time?: number;
  readonly source_path?: string;
  /** Of a suite that has ended. */
  readonly passed?: number;
  readonly failed?: number;
  readonly ignored?: number;
}

interface Program {
  readonly executable: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Called during a run for each test that has ended. */
  readonly onEnded?: (name: string, isFailed: boolean) => void;
}

const JSON_EVENTS = ['-Zunstable-options', '--format=json'];
/** A test that ends the process ends the others too: they run again without it, at most this often. */
const MAX_ENDED = 8;

export async function listTests(program: Program): Promise<readonly RustTest[]> {
  const { stdout } = await start(program, ['--list', ...JSON_EVENTS]);
  return events(stdout).flatMap(({ event, name, source_path }) =>
    event === 'discovered' && name !== undefined && source_path !== undefined ? [{ name, source_path }] : [],
  );
}

/** Runs these tests. The cases of a test that ended the process have no verdict. */
export async function runRustTests(program: Program, names: readonly string[]): Promise<RustRun> {
  const args = [...JSON_EVENTS, '--report-time', '--show-output', '--exact'];
  let last = readRun(await start(program, [...args, ...names]));
  const endedBy = new Map<string, RustCase>();
  for (let round = 0; round < MAX_ENDED && !last.ended; round += 1) {
    const left = names.filter((name) => !endedBy.has(name));
    // One at a time, so that it is known which one ends it.
    last = readRun(await start(program, [...args, '--test-threads=1', ...left]));
    for (const each of last.cases.values()) if (each.verdicts.length === 0) endedBy.set(each.name, each);
  }
  for (const each of endedBy.values()) each.output += last.said;
  return { ...last, cases: new Map([...endedBy, ...last.cases]) };
}

function start({ executable, cwd, env, onEnded }: Program, args: readonly string[]): Promise<ProgramOutput> {
  const onLine = (line: string): void => {
    const { type, event, name } = parse(line) ?? {};
    if (type === 'test' && name !== undefined && isVerdict(event)) onEnded?.(name, event === 'failed');
  };
  // The JSON format is not stable yet; with this variable a stable toolchain has it too.
  return output(executable, args, { cwd, env: { ...env, RUSTC_BOOTSTRAP: '1' }, onLine });
}

function isVerdict(event: string | undefined): event is RustCase['verdicts'][number] {
  return event === 'ok' || event === 'failed' || event === 'ignored';
}

function readRun({ stdout, stderr, code }: ProgramOutput): RustRun {
  const cases = new Map<string, RustCase>();
  const ends: Event[] = [];
  for (const each of events(stdout)) {
    const { type, event, name, stdout: said, message, exec_time } = each;
    if (type === 'suite' && event !== 'started') ends.push(each);
    if (type !== 'test' || name === undefined) continue;
    const known = cases.get(name) ?? { name, verdicts: [], output: '', seconds: 0 };
    cases.set(name, known);
    if (isVerdict(event)) {
      known.verdicts.push(event);
      known.output = [said, message].filter((part) => part !== undefined && part !== '').join('\n');
      known.seconds = exec_time ?? 0;
    }
  }
  const rest = stdout
    .split('\n')
    .filter((line) => parse(line) === null)
    .join('\n');
  return {
    cases,
    ended: ends.length > 0,
    contradiction: contradictionOf(ends, cases, code),
    code,
    said: rest + stderr,
  };
}

/** A program under test can write lines of its own: the summary, each case and the exit code have to say the same. */
function contradictionOf(
  ends: readonly Event[],
  cases: ReadonlyMap<string, RustCase>,
  code: number | null,
): string | null {
  const [end] = ends;
  if (end === undefined) return null;
  const all = [...cases.values()].flatMap(({ verdicts }) => verdicts);
  const count = (verdict: string): number => all.filter((each) => each === verdict).length;
  const agrees =
    ends.length === 1 &&
    end.passed === count('ok') &&
    end.failed === count('failed') &&
    end.ignored === count('ignored') &&
    (end.event === 'ok') === (count('failed') === 0) &&
    (code === 0) === (end.event === 'ok');
  return agrees ? null : 'the summary of the test program does not agree with its cases: something else writes results';
}

function events(text: string): Event[] {
  return text.split('\n').flatMap((line) => parse(line) ?? []);
}

function parse(line: string): Event | null {
  if (!line.startsWith('{')) return null;
  try {
    const value = JSON.parse(line) as Event;
    return typeof value.type === 'string' && typeof value.event === 'string' ? value : null;
  } catch {
    return null;
  }
}
