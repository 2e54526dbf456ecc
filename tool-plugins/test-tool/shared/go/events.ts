/** One line of `go test -json` (`go doc test2json`), as far as it is used. */
export interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly Elapsed?: number;
  /** Of a package that was not built. */
  readonly FailedBuild?: string;
}

export interface GoCase {
  readonly name: string;
  /** Each verdict that was reported; more than one is a lie. */
  readonly verdicts: string[];
  output: string;
  seconds: number;
}

/** What was said of one package, or of one build. */
export interface GoPackage {
  readonly cases: Map<string, GoCase>;
  verdict: string | null;
  failedBuild: string | null;
  output: string;
}

const VERDICTS = new Set(['pass', 'fail', 'skip']);
const FRAMING = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP|BENCH):)/;

/** Packages and builds by their name; lines that are no event are not kept. */
export function readGoEvents(text: string): ReadonlyMap<string, GoPackage> {
  const found = new Map<string, GoPackage>();
  const at = (name: string): GoPackage => {
    const known = found.get(name) ?? { cases: new Map<string, GoCase>(), verdict: null, failedBuild: null, output: '' };
    found.set(name, known);
    return known;
  };
  for (const line of text.split('\n')) {
    const event = parse(line);
    if (event === null) continue;
    const target = at(event.Package ?? event.ImportPath ?? '');
    if (event.Test !== undefined) addToCase(target, event.Test, event);
    else if (event.Output !== undefined) target.output += event.Output;
    else if (VERDICTS.has(event.Action)) {
      target.verdict = event.Action;
      target.failedBuild = event.FailedBuild ?? null;
    }
  }
  return found;
}

function addToCase({ cases }: GoPackage, name: string, event: GoEvent): void {
  const known = cases.get(name) ?? { name, verdicts: [], output: '', seconds: 0 };
  cases.set(name, known);
  if (event.Output !== undefined) known.output += FRAMING.test(event.Output) ? '' : event.Output;
  else if (VERDICTS.has(event.Action)) {
    known.verdicts.push(event.Action);
    known.seconds = event.Elapsed ?? 0;
  }
}

/** Package and test that a line says has ended, and whether it failed; null for any other line. */
export function endedGoCase(
  line: string,
): { readonly id: string; readonly test: string; readonly isFailed: boolean } | null {
  const event = parse(line);
  if (event?.Test === undefined || !VERDICTS.has(event.Action)) return null;
  return { id: `${event.Package ?? ''} ${event.Test}`, test: event.Test, isFailed: event.Action === 'fail' };
}

function parse(line: string): GoEvent | null {
  if (!line.startsWith('{')) return null;
  try {
    const value = JSON.parse(line) as GoEvent;
    return typeof value.Action === 'string' ? value : null;
  } catch {
    return null;
  }
}
