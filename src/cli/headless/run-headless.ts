import type { FluffyEvent } from '../../contracts/events.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { RunArguments } from '../arguments.ts';
import { usage } from '../arguments.ts';
import { connectKernel } from '../connect-kernel.ts';
import type { ConnectedKernel } from '../connect-kernel.ts';
import { openProject } from '../open-project.ts';
import type { Environment, OpenProject } from '../open-project.ts';
import { decideReview } from '../review/decide-review.ts';
import { sessionOptions } from '../session-options.ts';
import { finishedWithout } from './finished.ts';
import { readInputLines } from './input-lines.ts';
import { printerFor } from './printer.ts';
import type { Output, Printer } from './printer.ts';
import { readPipedInput } from './read-stdin.ts';
import type { Signals } from './signals.ts';

const MAX_TASK_CHARACTERS = 200_000;

export interface HeadlessRun {
  readonly args: RunArguments;
  readonly env: Environment;
  readonly output: Output;
  readonly stdin: NodeJS.ReadStream;
  readonly signals: Signals;
  readonly nowMs: () => number;
}

/** A task without a terminal. Whatever happens, the last thing printed is `session.finished`, and its exit code is the process's. */
export async function runHeadless(run: HeadlessRun): Promise<ExitCode> {
  const printer = printerFor(run.args.outputFormat, run.output, run.args.verbose);
  const last: { event: FluffyEvent | null } = { event: null };
  try {
    return await runOrThrow(run, printer, last);
  } catch (error) {
    if (!(error instanceof FluffyError)) throw error;
    printer.error(error);
    const session =
      last.event === null || last.event.session_id === null ? null : { id: last.event.session_id, seq: last.event.seq };
    const event = finishedWithout(error.exitCode, error.what, run.nowMs(), session);
    if (run.args.outputFormat !== 'text') run.output.stdout(`${JSON.stringify(event)}\n`);
    return error.exitCode;
  }
}

async function runOrThrow(run: HeadlessRun, printer: Printer, last: { event: FluffyEvent | null }): Promise<ExitCode> {
  const { args, env } = run;
  const opened = await openProject(args.project, args.allowRoot, env);
  const options = await sessionOptions({
    args,
    env,
    user: opened.userConfig,
    projectConfig: opened.projectConfig,
    project: opened.project,
    dirs: opened.user,
    invokerDir: process.cwd(),
    interactive: args.inputFormat === 'stream-json',
  });
  const task = args.inputFormat === 'stream-json' ? null : await readTask(run);

  const finished = Promise.withResolvers<number>();
  const expected = { open: false };
  const kernel = await connectKernel(opened, {
    env,
    allowRoot: args.allowRoot,
    onProgress: (text) => printer.progress(text),
    onEvent: (event) => {
      if (!expected.open) return;
      last.event = event;
      printer.event(event);
      if (event.type === 'session.finished') finished.resolve(event.exit_code);
    },
  });
  try {
    expected.open = true;
    const { client } = kernel;
    const id =
      args.resume === null
        ? await client.start(options)
        : await client.resume(args.resume.session, args.resume.fork, options, await lastSeq(opened, args));
    run.signals.onSignal(
      (signal) => void client.request('session.interrupt', { session_id: id, signal }).catch(() => undefined),
    );
    const givenUp = kernel.givenUp.then((error) => Promise.reject(error));
    if (task !== null) {
      await client.request('session.message', { session_id: id, ...task });
      return (await Promise.race([finished.promise, givenUp])) as ExitCode;
    }
    return await Promise.race([converse(run, printer, kernel, opened, id, finished), givenUp]);
  } finally {
    kernel.close();
  }
}

/** A resumed session goes on counting where it stopped: what was printed in earlier runs is not printed again. */
async function lastSeq(opened: OpenProject, args: RunArguments): Promise<number> {
  const { listSessions, showSession } = await import('../session/read-sessions.ts');
  const wanted = args.resume?.session === 'latest' ? listSessions(opened.dirs.database)[0]?.id : args.resume?.session;
  if (wanted === undefined || args.resume?.fork === true) return 0;
  try {
    return showSession(opened.dirs.database, wanted).events.at(-1)?.seq ?? 0;
  } catch {
    return 0;
  }
}

async function readTask({ args, stdin }: HeadlessRun): Promise<{ text: string; context?: string }> {
  const piped = await readPipedInput(stdin);
  if (piped.kind === 'too-large') throw usage('the piped input is larger than 8 MiB');
  const text = args.task.trim() === '' && piped.kind === 'text' ? piped.text.trim() : args.task.trim();
  if (text === '') {
    if (args.resume !== null) return { text: 'Go on.' };
    throw usage('there is no task: give one as an argument or on standard input');
  }
  if (text.length > MAX_TASK_CHARACTERS) {
    throw usage(
      `the task has ${text.length} characters, at most ${MAX_TASK_CHARACTERS} are taken; put the material into a file of the project and name it`,
    );
  }
  const context = piped.kind === 'text' && args.task.trim() !== '' ? piped.text : undefined;
  if (context !== undefined && context.length > MAX_TASK_CHARACTERS) {
    throw usage(`the piped context has ${context.length} characters, at most ${MAX_TASK_CHARACTERS} are taken`);
  }
  return { text, ...(context === undefined ? {} : { context }) };
}

/** `--input-format stream-json`: messages, decisions and interruptions from standard input until it ends and the last run has finished. */
async function converse(
  run: HeadlessRun,
  printer: Printer,
  kernel: ConnectedKernel,
  opened: OpenProject,
  id: string,
  first: PromiseWithResolvers<number>,
): Promise<ExitCode> {
  const { client } = kernel;
  let sent = run.args.task.trim() === '' ? 0 : 1;
  if (sent === 1) await client.request('session.message', { session_id: id, text: run.args.task.trim() });
  const onBadLine = (why: string) =>
    printer.error({
      code: 'usage',
      what: 'A line of the input was skipped',
      why,
      fix: 'See docs/headless.md for the lines that are read',
    });
  for await (const line of readInputLines(run.stdin, onBadLine)) {
    switch (line.type) {
      case 'message':
        if (sent > 0) await first.promise;
        sent += 1;
        await client.request('session.message', { session_id: id, text: line.text });
        break;
      case 'interrupt':
        await client.request('session.interrupt', { session_id: id, signal: 'interrupt' });
        break;
      case 'approve':
      case 'reject':
        await decideReview(
          client,
          opened.user,
          id,
          line.type === 'approve' ? { kind: 'approve' } : { kind: 'reject', reason: line.reason ?? '' },
        );
        break;
    }
  }
  return sent === 0 ? EXIT.done : ((await first.promise) as ExitCode);
}
