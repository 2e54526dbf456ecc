import { FluffyError } from '../../../contracts/fluffy-error.ts';
import type { SessionOptions, TestCommand } from '../../../contracts/session/session-protocol.ts';
import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import type { CliServices } from '../../command-line/cli-command.ts';
import { withLimits } from '../../session-options.ts';
import { describeTrial } from './describe-trial.ts';
import { missingPackages } from './missing-packages.ts';
import { pathAliasAdvice } from './path-aliases.ts';
import type { Trial } from './describe-trial.ts';
import { formatMs } from '../../headless/event-lines.ts';
import { RunWatch } from '../../headless/run-watch.ts';
import type { OpenProject } from '../../open-project.ts';

interface TrialRun {
  readonly opened: OpenProject;
  readonly command: TestCommand;
  readonly allowRoot: boolean;
}

/**
 * Runs the whole suite once like a session would, in a sandbox and without a model, and returns the result as complete lines. The session is
 * archived. An obstacle is part of the answer, because writing a configuration needs no engine.
 */
export async function tryTests(trial: TrialRun, services: CliServices): Promise<string> {
  try {
    const ran = await runOnce(trial, services);
    const { root } = trial.opened.project;
    const said = describeTrial(trial.command, ran, missingPackages(root, trial.command, ran.run));
    return `${said}${pathAliasAdvice(root, trial.command, ran.run)}`;
  } catch (error) {
    if (!(error instanceof FluffyError)) throw error;
    return `The tests were not run: ${error.what}: ${error.why}\n${error.fix}\n`;
  }
}

async function runOnce(
  { opened, command, allowRoot }: TrialRun,
  { env, output, connect }: CliServices,
): Promise<Trial> {
  const watch = new RunWatch();
  const seen: { run: Trial['run']; call: Trial['call'] } = { run: null, call: null };
  output.stderr('Running the tests once in a sandbox …\n');
  const kernel = await connect(opened, {
    env,
    allowRoot,
    onProgress: (text) => output.stderr(`  ${escapeTerminal(text)}\n`),
    onEvent: (event) => {
      watch.see(event);
      if (event.type === 'test.progress')
        output.stderr(`  running for ${formatMs(event.elapsed_ms)} of at most ${formatMs(event.timeout_ms)}\n`);
      if (event.type === 'test.finished') seen.run = event;
      if (event.type === 'tool.finished') seen.call = event;
    },
  });
  try {
    const { client } = kernel;
    const id = await client.start(optionsOf(opened, command));
    try {
      const messageId = crypto.randomUUID();
      const ended = watch.expect(messageId);
      const task = { session_id: id, message_id: messageId, text: 'Run the tests once' };
      await client.request('session.message', task);
      const { summary } = await Promise.race([ended, kernel.givenUp.then((error) => Promise.reject(error))]);
      return { ...seen, summary };
    } finally {
      // The session reports before its run is over, and an interruption waits for that. If the kernel is lost, nothing can be archived.
      const archived = client
        .request('session.interrupt', { session_id: id, signal: 'interrupt' })
        .then(() => client.request('session.archive', { session_id: id }))
        .catch(() => undefined);
      await Promise.race([archived, kernel.givenUp]);
    }
  } finally {
    kernel.close();
  }
}

function optionsOf({ project, userConfig }: OpenProject, command: TestCommand): SessionOptions {
  return {
    mode: 'strict',
    model: 'replay/config-init',
    approve: 'never',
    limits: {},
    cwd: project.cwd,
    test_command: withLimits(command, userConfig.test),
    author: { name: project.identity.name, email: project.identity.email },
    replay: [{ calls: [{ tool: 'test.run', input: {} }] }, { text: 'They were run.' }],
    interactive: false,
  };
}
