/**
 * Tries the program on clones of other people's repositories: `npm run tryout -- DIRECTORY…`. Each is opened, its tests are found and run in a sandbox. Then one line
 * of its source is broken on a branch of its own, the tests that notice it are removed, and a replay brings all back: the tests first, seen to fail, then the line.
 * Prints one row of a Markdown table each. What the tests need has to be installed, or is by `--install`; the clone stays on the branch `fluffy-tryout`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { commandOf, findTests } from '../../src/cli/config/init/detect-test-command.ts';
import type { EventOf, FluffyEvent } from '../../src/contracts/session/events.ts';
import { collectsInProject } from '../../src/kernel/runners/command-parts.ts';
import type { TestCommand } from '../../src/contracts/session/session-protocol.ts';
import { brokenLines } from './broken-lines.ts';
import type { BrokenLine } from './broken-lines.ts';
import { withoutTest } from './test-text.ts';

const CLI = resolve(import.meta.dirname, '../../dist/cli.mjs');
const BRANCH = 'fluffy-tryout';
const MAX_TRIES = 8;
/** More than these notice a line that everything needs. */
const MAX_TEST_FILES = 3;
const MAX_TESTS = 8;
const DEADLINE_MS = 900_000;

interface Played {
  readonly code: number | null;
  readonly seconds: number;
  readonly events: readonly FluffyEvent[];
}

/** A test file as it was, and without the tests that notice the broken line; null: without the file. */
interface TestFile {
  readonly path: string;
  readonly content: string;
  readonly without: string | null;
}

interface Row {
  readonly runner: string;
  readonly baseline: string;
  readonly repair: string;
}

process.stdout.write(
  '| repository | runner | its tests in a sandbox | a broken line, repaired test-first |\n| --- | --- | --- | --- |\n',
);
const INSTALLS = process.argv.includes('--install');
for (const directory of process.argv.slice(2).filter((each) => !each.startsWith('--'))) {
  const root = resolve(directory);
  const { runner, baseline, repair } = tryOut(root);
  process.stdout.write(`| ${basename(root)} | ${runner} | ${baseline} | ${repair} |\n`);
}

function tryOut(root: string): Row {
  const found = findTests(root, '');
  const command = commandOf(found);
  const [first] = found.nearest;
  if (command === null || first?.supported !== true)
    return { runner: first === undefined ? 'none found' : `${first.title}: not supported`, baseline: '', repair: '' };
  const { runner } = command;
  const base = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'checkout', '--quiet', '-B', BRANCH);
  const installed = INSTALLS ? installPackages(root) : '';
  const baseline = playTests(root);
  const counts = `${describeTests(baseline)}${installed}`;
  const red = failedIn(baseline);
  if (testsOf(baseline) === undefined || passedIn(baseline) === 0)
    return { runner, baseline: counts, repair: 'not tried' };
  const repair = repaired(root, command, { base, red });
  return { runner, baseline: counts, repair };
}

/** The first break that few test files notice, and what became of its repair. */
function repaired(
  root: string,
  command: TestCommand,
  { base, red }: { base: string; red: ReadonlySet<string> },
): string {
  const sources = git(root, 'ls-files')
    .split('\n')
    .filter((path) => path !== '' && !collectsInProject(command, path));
  const lines = sources.flatMap((path) => brokenLines(path, textOf(join(root, path))));
  // From all over the project, and the same each time.
  const spread = Array.from({ length: MAX_TRIES }, (_, n) => lines[Math.floor(((n + 0.5) * lines.length) / MAX_TRIES)]);
  for (const line of new Set(spread)) {
    if (line === undefined) continue;
    git(root, 'reset', '--quiet', '--hard', base);
    writeFileSync(join(root, line.path), line.broken);
    commit(root, 'Break a line');
    const noticed = [...failedIn(playTests(root))].filter((id) => !red.has(id));
    const tests = testFiles(root, noticed);
    if (tests === null) continue;
    for (const { path, without } of tests)
      if (without === null) rmSync(join(root, path));
      else writeFileSync(join(root, path), without);
    git(root, 'commit', '--quiet', '--all', '--amend', '--no-verify', '--message', 'Break a line that no test notices');
    return describeRepair(root, line, repair(root, line, tests));
  }
  return 'no line found that few test files notice';
}

/** The files of the tests that noticed; null where none did, where too many did, or where a source that holds its tests cannot go on without them. */
function testFiles(root: string, noticed: readonly string[]): readonly TestFile[] | null {
  const byFile = Map.groupBy(noticed, (id) => id.split('\0')[0] ?? '');
  if (byFile.size === 0 || byFile.size > MAX_TEST_FILES || noticed.length > MAX_TESTS) return null;
  const files = [...byFile].map(([path, ids]): TestFile => {
    const content = textOf(join(root, path));
    const without = ids.reduce<string | null>((text, id) => {
      // Cases of one parametrised test go together.
      const less = text === null ? null : withoutTest(path, text, id.split('\0')[1] ?? '');
      return less ?? (ids.length > 1 && text !== content ? text : null);
    }, content);
    return { path, content, without };
  });
  return files.some(({ path, without }) => without === null && path.includes('src/') && path.endsWith('.rs'))
    ? null
    : files;
}

function repair(root: string, { path, before, after }: BrokenLine, tests: readonly TestFile[]): Played {
  const call = (tool: string, input: Readonly<Record<string, unknown>>) => ({ tool, input });
  return play(root, [
    {
      calls: [
        call('plan.complete', { summary: 'Fix it', steps: ['Test', 'Source'] }),
        ...tests.map(({ path, content }) => call('fs.write', { path, content })),
        call('test.run', {}),
      ],
    },
    { calls: [call('fs.edit', { path, old_string: after, new_string: before }), call('test.run', {})] },
    { calls: [call('git.commit', { message: 'Repair the line' })] },
  ]);
}

function describeRepair(root: string, { path, before, after }: BrokenLine, played: Played): string {
  const what = `\`${path}\`: \`${before.trim()}\` (was \`${after.trim()}\`)`.replaceAll('|', '\\|');
  const seconds = `${played.seconds.toFixed(0)} s`;
  const last = git(root, 'log', '-1', '--format=%s').trim();
  if (played.code === 0 && last === 'Repair the line') return `committed, ${seconds}: ${what}`;
  const reasons = played.events.flatMap((event) => (event.type === 'review.requested' ? event.reasons : []));
  if (reasons.length > 0) return `goes to a person, ${seconds} (${reasons.join('; ')}): ${what}`;
  const refused = played.events.flatMap((event) =>
    event.type === 'tool.finished' && event.error !== undefined ? [event.error.message.split('\n')[0] ?? ''] : [],
  );
  return `refused, ${seconds} (${refused[0] ?? `exit ${played.code}`}): ${what}`;
}

function playTests(root: string): Played {
  return play(root, [{ calls: [{ tool: 'test.run', input: {} }] }, { text: 'They were run.' }]);
}

/** Has the packages of the lockfile installed, as a person who allows it. */
function installPackages(root: string): string {
  const { events, seconds } = play(
    root,
    [{ calls: [{ tool: 'deps.install', input: {} }] }, { text: 'Done.' }],
    ['--input-format', 'stream-json'],
  );
  const end = events.findLast((event) => event.type === 'tool.finished');
  const said = end === undefined ? 'nothing was installed' : (end.error?.message ?? end.summary);
  return `, after \`deps.install\` (${said.split('\n')[0] ?? ''}, ${seconds.toFixed(0)} s)`;
}

/** A session whose model says this, to its end. */
function play(root: string, turns: readonly unknown[], more: readonly string[] = []): Played {
  const scratch = mkdtempSync(join(tmpdir(), 'tryout-'));
  try {
    const replay = join(scratch, 'turns.jsonl');
    writeFileSync(replay, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    const started = performance.now();
    const args = [
      '-p',
      'Try it',
      '--output-format',
      'stream-json',
      '--model',
      `replay/${replay}`,
      '--project',
      root,
      ...more,
    ];
    const { status, stdout } = spawnSync(process.execPath, [CLI, ...args], {
      encoding: 'utf8',
      input: more.length === 0 ? '' : '{"type":"approve"}\n',
      timeout: DEADLINE_MS,
      maxBuffer: 256 * 1024 * 1024,
    });
    const events = stdout
      .split('\n')
      .flatMap((line) => (line.startsWith('{"') ? [JSON.parse(line) as FluffyEvent] : []));
    return { code: status, seconds: (performance.now() - started) / 1000, events };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function testsOf({ events }: Played): EventOf<'test.finished'> | undefined {
  return events.findLast((event) => event.type === 'test.finished');
}

function describeTests(played: Played): string {
  const tests = testsOf(played);
  const seconds = `${played.seconds.toFixed(0)} s`;
  if (tests === undefined) {
    const end = played.events.findLast((event) => event.type === 'session.finished');
    return `not run: ${end?.summary.split('\n')[0] ?? `exit ${played.code}`}`;
  }
  if (tests.outcome !== 'passed' && tests.outcome !== 'failed') return `${tests.outcome}, ${seconds}`;
  return `${tests.passed} passed, ${tests.failed} failed, ${seconds}`;
}

function passedIn(played: Played): number {
  return testsOf(played)?.passed ?? 0;
}

/** Failed cases, as file and name. */
function failedIn(played: Played): ReadonlySet<string> {
  const cases = testsOf(played)?.cases ?? [];
  return new Set(cases.flatMap(({ file, name, status }) => (status === 'failed' ? [`${file}\0${name}`] : [])));
}

function commit(root: string, message: string): void {
  git(root, 'commit', '--quiet', '--all', '--no-verify', '--message', message);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function git(root: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Tryout', '-c', 'user.email=tryout@example.invalid', '-c', 'commit.gpgsign=false'];
  // As the owner of the clone, so that all of it stays theirs.
  const { uid, gid } = statSync(root);
  const env = { PATH: process.env['PATH'], HOME: root };
  const owner = process.geteuid?.() === 0 ? { uid, gid } : {};
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', env, ...owner });
}
