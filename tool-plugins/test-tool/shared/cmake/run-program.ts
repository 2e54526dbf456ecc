/** Runs a program of GoogleTest, Catch2 or doctest, and reads its own report. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { output } from '../program-output.ts';
import { whileRunning } from '../while-running.ts';
import type { ProgramOutput } from '../program-output.ts';
import { testEnvironment, workingDirectory } from './project.ts';
import type { CTest, CmakeProgram, CmakeProject } from './project.ts';
import { readCaseXml, readGoogleReport } from './reports.ts';
import type { CxxCase } from './reports.ts';
import type { CxxFramework } from './source.ts';

export interface ProgramRun {
  readonly cases: readonly CxxCase[];
  /** Whether it came to its own end, and left a report. */
  readonly ended: boolean;
  /** Whether its exit code says that a case failed. */
  readonly failed: boolean;
  readonly said: string;
}

interface FrameworkWords {
  readonly read: (text: string) => CxxCase[];
  /** Arguments that select, repeat or report: those of ctest are replaced. */
  readonly own: RegExp;
  readonly report: (path: string) => readonly string[];
  /** All cases but these. */
  readonly without: (ids: readonly string[]) => readonly string[];
  /** The last case that had begun, from what it printed. */
  readonly begun: RegExp;
  /** The line that it prints when a case has ended; null: its report grows instead. */
  readonly ended: RegExp | null;
}

/** Called during a run for a case that has ended; more than once for one that runs again. */
export type OnEnded = (id: string, isFailed: boolean) => void;

const escaped = (id: string): string => id.replace(/[\\,*[\]"]/g, '\\$&');

const WORDS: Readonly<Record<Exclude<CxxFramework, 'plain'>, FrameworkWords>> = {
  gtest: {
    read: readGoogleReport,
    own: /^--gtest_/,
    report: (path) => [`--gtest_output=json:${path}`, '--gtest_color=no'],
    without: (ids) => (ids.length === 0 ? [] : [`--gtest_filter=-${ids.join(':')}`]),
    begun: /^\[ RUN {6}\] (\S+)$/gm,
    ended: /^\[ *(OK|FAILED|SKIPPED) *\] ([^\s,]+).* \(\d+ ms\)$/,
  },
  catch: {
    read: readCaseXml,
    own: /^/,
    report: (path) => ['-r', 'xml', '-o', path],
    without: (ids) => (ids.length === 0 ? [] : ['~[.]', ...ids.map((id) => `~${escaped(id)}`)]),
    begun: /<TestCase name="([^"]*)"/g,
    ended: null,
  },
  doctest: {
    read: readCaseXml,
    own: /^-/,
    report: (path) => ['-r=xml', `-o=${path}`],
    without: (ids) => (ids.length === 0 ? [] : [`-tce=${ids.map((id) => escaped(id)).join(',')}`]),
    begun: /<TestCase name="([^"]*)"/g,
    ended: null,
  },
};

/** A case that ends the process ends the others too: they run again without it, at most this often. */
const MAX_ENDED = 8;

interface ProgramToRun {
  readonly project: CmakeProject;
  readonly program: CmakeProgram;
  readonly test: CTest;
  readonly onEnded: OnEnded;
}

/** All cases of a program. Those that ended the process have failed. */
export async function runProgram(
  { project, program: { executable }, test, onEnded }: ProgramToRun,
  framework: Exclude<CxxFramework, 'plain'>,
): Promise<ProgramRun> {
  const words = WORDS[framework];
  const kept = (test.command ?? []).slice(1).filter((each) => !words.own.test(each));
  const cwd = workingDirectory(test, project);
  const env = testEnvironment(test);
  const endedBy = new Map<string, CxxCase>();
  for (let round = 0; ; round += 1) {
    const scratch = mkdtempSync(join(project.build, 'run-'));
    const report = join(scratch, 'report');
    const args = [...kept, ...words.report(report), ...words.without([...endedBy.keys()])];
    const onLine = (line: string): void => {
      const [, verdict, id] = words.ended?.exec(line) ?? [];
      if (id !== undefined) onEnded(id, verdict === 'FAILED');
    };
    const running = output(executable, args, { cwd, env, onLine });
    const ran = await whileRunning(running, () => {
      if (words.ended !== null) return;
      for (const each of words.read(endedPart(textAt(report)))) onEnded(each.id, each.status === 'failed');
    });
    const text = textAt(report);
    rmSync(scratch, { recursive: true, force: true });
    const cases = readOrNull(words.read, text);
    const said = ran.stdout + ran.stderr;
    if (cases !== null && isWhole(text, ran))
      return { cases: [...endedBy.values(), ...cases], ended: true, failed: ran.code !== 0, said };
    const culprit = [...`${text}${ran.stdout}`.matchAll(words.begun)].at(-1)?.[1];
    if (culprit === undefined || endedBy.has(culprit) || round === MAX_ENDED)
      return { cases: [...endedBy.values()], ended: false, failed: true, said: `${endingOf(ran)}\n${said}` };
    endedBy.set(culprit, ended(culprit, framework, ran));
  }
}

/** A report up to the last case that has ended. */
function endedPart(text: string): string {
  const end = text.lastIndexOf('</TestCase>');
  return end === -1 ? '' : text.slice(0, end + '</TestCase>'.length);
}

/** A report that was written to its end by a process that came to its own. */
function isWhole(text: string, { code }: ProgramOutput): boolean {
  return (
    code !== null && text !== '' && (!text.startsWith('<') || /<\/(?:Catch|Catch2TestRun|doctest)>\s*$/.test(text))
  );
}

function ended(id: string, framework: CxxFramework, ran: ProgramOutput): CxxCase {
  const said = ran.stdout + ran.stderr;
  return {
    id,
    names: framework === 'gtest' ? id.split(/\.(.*)/s).slice(0, 2) : [id],
    file: '',
    status: 'failed',
    seconds: 0,
    message: `${endingOf(ran)}\n${said.slice(-4000)}`,
    isError: !isAssertion(said),
  };
}

/** What `assert` of C prints. */
export function isAssertion(said: string): boolean {
  return /Assertion [`'"][\s\S]*failed|Assertion failed/.test(said);
}

export function endingOf({ code, signal }: ProgramOutput): string {
  return signal === null ? `it ended the process with ${code}` : `it was ended by ${signal}`;
}

function readOrNull(read: (text: string) => CxxCase[], text: string): CxxCase[] | null {
  try {
    return text === '' ? null : read(text);
  } catch {
    return null;
  }
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
