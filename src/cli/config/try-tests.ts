import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { EventOf } from '../../contracts/session/events.ts';
import type { SessionOptions, TestCommand } from '../../contracts/session/session-protocol.ts';
import { describeCommand } from '../../kernel/runners/describe-command.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import type { CliServices } from '../command-line/cli-command.ts';
import { formatMs } from '../headless/event-lines.ts';
import { RunWatch } from '../headless/run-watch.ts';
import type { OpenProject } from '../open-project.ts';

const MAX_FAILED = 5;

interface Trial {
  readonly opened: OpenProject;
  readonly command: TestCommand;
  readonly allowRoot: boolean;
}

/**
 * Runs the whole suite once as a session would, in a sandbox and without a model, and says in whole lines what came of it. The session is archived. What
 * keeps it from running is a part of the answer: nobody needs an engine to write a configuration down.
 */
export async function tryTests(trial: Trial, services: CliServices): Promise<string> {
  try {
    return describeTrial(trial.command, await runOnce(trial, services));
  } catch (error) {
    if (!(error instanceof FluffyError)) throw error;
    return `The tests were not run: ${error.what}: ${error.why}\n${error.fix}\n`;
  }
}

interface Ran {
  readonly run: EventOf<'test.finished'> | null;
  readonly call: EventOf<'tool.finished'> | null;
  /** How the session ended. */
  readonly summary: string;
}

async function runOnce({ opened, command, allowRoot }: Trial, { env, output, connect }: CliServices): Promise<Ran> {
  const watch = new RunWatch();
  const seen: { run: Ran['run']; call: Ran['call'] } = { run: null, call: null };
  output.stderr('Running the tests once in a sandbox …\n');
  const kernel = await connect(opened, {
    env,
    allowRoot,
    onProgress: (text) => output.stderr(`  ${escapeTerminal(text)}\n`),
    onEvent: (event) => {
      watch.see(event);
      if (event.type === 'test.finished') seen.run = event;
      if (event.type === 'tool.finished') seen.call = event;
    },
  });
  try {
    const { client } = kernel;
    const id = await client.start(optionsOf(opened, command));
    const messageId = crypto.randomUUID();
    const ended = watch.expect(messageId);
    const task = { session_id: id, message_id: messageId, text: 'Run the tests once' };
    await client.request('session.message', task);
    const { summary } = await Promise.race([ended, kernel.givenUp.then((error) => Promise.reject(error))]);
    // It says so before its run is over, and an interruption waits for that.
    await client.request('session.interrupt', { session_id: id, signal: 'interrupt' });
    await client.request('session.archive', { session_id: id });
    return { ...seen, summary };
  } finally {
    kernel.close();
  }
}

function optionsOf({ project }: OpenProject, command: TestCommand): SessionOptions {
  return {
    mode: 'strict',
    model: 'replay/config-init',
    approve: 'never',
    limits: {},
    cwd: project.cwd,
    test_command: command,
    author: { name: project.identity.name, email: project.identity.email },
    replay: [{ calls: [{ tool: 'test.run', input: {} }] }, { text: 'They were run.' }],
    interactive: false,
  };
}

/** Pure. */
function describeTrial(command: TestCommand, { run, call, summary }: Ran): string {
  // Why a run counts for nothing is what the call says.
  if (run === null || run.outcome === 'invalid')
    return `The tests were not run: ${call?.error?.message ?? (call?.summary || summary)}\n`;
  const { outcome, passed, failed, skipped, cases = [] } = run;
  const took = call === null ? '' : ` (${formatMs(call.duration_ms)})`;
  const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ');
  if (passed + failed + skipped === 0 && outcome === 'passed')
    return `There are no tests yet. A first one is found by its name: ${describeCommand(command)}.\n`;
  const failures = cases.filter(({ status }) => status === 'failed');
  const named = failures.slice(0, MAX_FAILED).map(({ file, name, failure }) => {
    const why = failure?.message.split('\n').find((line) => line.trim() !== '') ?? '';
    return `  ${file}: ${name}${why === '' ? '' : `: ${why.trim()}`}\n`;
  });
  const more = failures.length > MAX_FAILED ? `  and ${failures.length - MAX_FAILED} more\n` : '';
  const ran = `The tests were run once in a sandbox${took}: ${counts}.\n`;
  if (failures.length === 0) return ran;
  return `${ran}${named.join('')}${more}What fails before a change may fail after it.\n`;
}
