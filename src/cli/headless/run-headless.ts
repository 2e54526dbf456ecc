import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { GivenImage } from '../../contracts/model/image.ts';
import { outsideImages } from '../images/outside-images.ts';
import type { HeadlessArguments } from '../run-arguments.ts';
import { baseUrlsOf } from '../base-urls.ts';
import type { connectKernel, ConnectedKernel } from '../connect-kernel.ts';
import { openProject } from '../open-project.ts';
import type { Environment, OpenProject } from '../open-project.ts';
import { decideReview, decideShownReview } from '../review/decide-review.ts';
import type { HumanChoice } from '../review/decide-review.ts';
import { namesModel, sessionOptions } from '../session-options.ts';
import { converse } from './converse.ts';
import { finishedWithout, summaryOf } from './finished.ts';
import { HardEnd } from './hard-end.ts';
import { printerFor } from './printer.ts';
import type { Output } from '../output/output.ts';
import type { Printer } from './printer.ts';
import { refuseUnreadableInput } from './read-stdin.ts';
import { readTask, refuseNoTask } from './read-task.ts';
import { RunWatch } from './run-watch.ts';
import type { Finished } from './run-watch.ts';
import type { Signals } from './signals.ts';

export interface HeadlessRun {
  readonly args: HeadlessArguments;
  readonly env: Environment;
  readonly output: Output;
  readonly stdin: NodeJS.ReadStream;
  readonly signals: Signals;
  readonly nowMs: () => number;
  /** Calls back once after a delay, unless the returned function was called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly connect: typeof connectKernel;
}

/** A task without a terminal. The last output is always `session.finished`, and its exit code is the process's. */
export async function runHeadless(run: HeadlessRun): Promise<ExitCode> {
  const printer = printerFor(run.args.outputFormat, run.output, run.args.verbose);
  const watch = new RunWatch();
  try {
    return await runOrThrow(run, printer, watch);
  } catch (error) {
    if (!(error instanceof FluffyError)) throw error;
    printer.error(error);
    const session =
      watch.last === null || watch.last.session_id === null ? null : { id: watch.last.session_id, seq: watch.last.seq };
    printer.finished(finishedWithout(error.exitCode, summaryOf(error), run.nowMs(), session));
    return error.exitCode;
  }
}

async function runOrThrow(run: HeadlessRun, printer: Printer, watch: RunWatch): Promise<ExitCode> {
  const { args, env, signals } = run;
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  signals.onSignal((signal) => stopped.reject(stoppedBeforeStart(signal)));
  refuseUnreadableInput(run.stdin);
  if (args.inputFormat !== 'stream-json') refuseNoTask(args, run.stdin);
  const opened = await openProject(args.project, args.allowRoot, env);
  const options = await sessionOptions({
    args,
    env,
    opened,
    invokerDir: process.cwd(),
    interactive: args.inputFormat === 'stream-json',
  });
  const { after } = run;
  // In every format: a program that waits must say what for.
  const say = (text: string) => run.output.stderr(`  ${text}\n`);
  const reading = args.inputFormat === 'stream-json' ? null : readTask({ ...run, onProgress: say });
  const task = await Promise.race([reading, stopped.promise]);
  const hardEnd = new HardEnd({ after });

  const expected = { open: false };
  hardEnd.limitDuration(args.limits.max_duration_ms, () => undefined);
  const connecting = run.connect(opened, {
    env,
    allowRoot: args.allowRoot,
    baseUrls: baseUrlsOf(options.model, args.baseUrl),
    onProgress: (text) => printer.progress(text),
    onEvent: (event) => {
      if (!expected.open) return;
      watch.see(event);
      printer.event(event);
    },
  });
  const kernel = await Promise.race([connecting, stopped.promise, hardEnd.ended]).catch((error: unknown) => {
    void connecting.then((late) => late.close()).catch(() => undefined);
    hardEnd.stop();
    throw error;
  });
  try {
    expected.open = true;
    const { client } = kernel;
    const opening =
      args.resume === null
        ? client.start(options)
        : client.resume(args.resume.session, args.resume.fork, options, {
            afterSeq: await lastSeq(opened, args),
            keepModel: !namesModel(args, env),
          });
    const id = await Promise.race([opening, stopped.promise, hardEnd.ended]);
    const interrupt = (signal: 'interrupt' | 'terminate') =>
      void client.request('session.interrupt', { session_id: id, signal }).catch(() => undefined);
    // The kernel's own timer runs from now on, too.
    hardEnd.limitDuration(args.limits.max_duration_ms, () => interrupt('interrupt'));
    const stop = new AbortController();
    signals.onSignal((signal) => {
      stop.abort();
      interrupt(signal);
      hardEnd.signalled(signal);
    });
    const givenUp = kernel.givenUp.then((error) => Promise.reject(error));
    const finished = await Promise.race([
      task === null
        ? converseWith(run, { printer, watch, client, user: opened.user, id, stopped: stop.signal })
        : sendTask({ watch, client, id }, { ...task, ...(await namedImages(run, opened)) }),
      givenUp,
      hardEnd.ended,
    ]);
    // A session without any message is removed from the list.
    if (finished === null && args.resume === null)
      await client.request('session.archive', { session_id: id }).catch(() => undefined);
    return lastLine(run, printer, watch, finished);
  } finally {
    expected.open = false;
    hardEnd.stop();
    kernel.close();
  }
}

/** An open session and its connection. */
interface OpenSession {
  readonly id: string;
  readonly client: ConnectedKernel['client'];
  readonly watch: RunWatch;
}

/** Only for the task on the command line: piped text is untrusted and must not cause files of the user to be read. */
async function namedImages({ args, env }: HeadlessRun, { project }: OpenProject): Promise<{ images?: GivenImage[] }> {
  const places = { projectRoot: project.root, invokerDir: process.cwd(), home: env['HOME'] };
  const images = await outsideImages(args.task, places);
  return images.length === 0 ? {} : { images: [...images] };
}

/** Sends a message and waits for the end of the run that it became part of. */
async function sendTask(
  { watch, client, id }: OpenSession,
  message: { text: string; context?: string; images?: GivenImage[] },
): Promise<Finished> {
  const messageId = crypto.randomUUID();
  const ended = watch.expect(messageId);
  await client.request('session.message', { session_id: id, message_id: messageId, ...message });
  return ended;
}

/** The end of the last run was printed last, or is printed now. Without a run only that is reported. */
function lastLine(run: HeadlessRun, printer: Printer, watch: RunWatch, finished: Finished | null): ExitCode {
  const { last } = watch;
  if (finished === null) {
    const session = last === null || last.session_id === null ? null : { id: last.session_id, seq: last.seq };
    printer.finished({ ...finishedWithout(EXIT.done, 'Nothing was asked.', run.nowMs(), session), status: 'done' });
    return EXIT.done;
  }
  printer.finished(finished);
  return finished.exit_code as ExitCode;
}

function stoppedBeforeStart(signal: 'interrupt' | 'terminate'): FluffyError {
  return new FluffyError({
    code: 'interrupted',
    what: 'Interrupted before the task began',
    why: `the process was asked to ${signal === 'interrupt' ? 'stop (SIGINT)' : 'end (SIGTERM)'}`,
    fix: 'Start it again; nothing was changed',
    exitCode: signal === 'interrupt' ? EXIT.interrupted : EXIT.terminated,
  });
}

/** A resumed session continues its numbers: events of earlier runs are not printed again. */
async function lastSeq(opened: OpenProject, args: HeadlessArguments): Promise<number> {
  const { listSessions, showSession } = await import('../session/read-sessions.ts');
  const wanted = args.resume?.session === 'latest' ? listSessions(opened.dirs.database)[0]?.id : args.resume?.session;
  if (wanted === undefined || args.resume?.fork === true) return 0;
  try {
    return showSession(opened.dirs.database, wanted).events.at(-1)?.seq ?? 0;
  } catch {
    return 0;
  }
}

async function converseWith(
  run: HeadlessRun,
  session: OpenSession & {
    readonly printer: Printer;
    readonly user: OpenProject['user'];
    /** The process was requested to end: nothing more is sent then. */
    readonly stopped: AbortSignal;
  },
): Promise<Finished | null> {
  const { printer, watch, client, user, id, stopped } = session;
  await converse(run.stdin, run.args.task.trim(), watch, {
    stopped,
    send: async (text) => {
      const messageId = crypto.randomUUID();
      void watch.expect(messageId);
      await client.request('session.message', { session_id: id, message_id: messageId, text });
    },
    interrupt: async (signal) => {
      await client.request('session.interrupt', { session_id: id, signal });
    },
    decide: async (shown, line) => {
      const choice: HumanChoice =
        line.type === 'approve'
          ? { kind: 'approve' }
          : { kind: 'reject', reason: line.reason ?? '', tests: line.tests };
      try {
        const result =
          shown === null
            ? await decideReview(client, user, id, choice)
            : await decideShownReview(client, user, id, shown, choice);
        return result.outcome === 'rejected' ? 'rejected' : 'decided';
      } catch (error) {
        if (error instanceof FluffyError && error.code === 'nothing_to_review') return 'nothing-waits';
        throw error;
      }
    },
    onSkipped: (why) =>
      printer.error({
        code: 'usage',
        what: 'A line of the input was skipped',
        why,
        fix: 'See docs/headless.md for the lines that are read',
      }),
  });
  return watch.finished;
}
