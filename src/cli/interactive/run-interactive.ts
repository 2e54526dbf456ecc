import packageJson from '../../../package.json' with { type: 'json' };
import { EXIT } from '../../contracts/exit-codes.ts';
import type { SessionOptions } from '../../contracts/session/session-protocol.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { ENDING_SIGNALS } from '../../lib/ending-signals.ts';
import type { AppProps } from '../../tui/components/app.tsx';
import type { KeyAction } from '../../tui/keymap/key-action.ts';
import { bindingsOf } from '../../tui/keymap/bindings.ts';
import { exitSummary } from '../../tui/store/exit-summary.ts';
import { initialView } from '../../tui/store/view-state.ts';
import { exactLine, safeLine } from '../../tui/store/safe-text.ts';
import { ViewStore } from '../../tui/store/view-store.ts';
import type { RunArguments } from '../run-arguments.ts';
import { baseUrlsOf } from '../base-urls.ts';
import { assumedTheme } from '../output/terminal-painter.ts';
import { openProject } from '../open-project.ts';
import type { OpenProject } from '../open-project.ts';
import { openOrSetUp } from './open-or-set-up.ts';
import { namesModel, sessionOptions } from '../session-options.ts';
import { sessionAtStart } from './session-at-start.ts';
import type { SessionAtStart } from './session-at-start.ts';
import { Conversation } from './conversation.ts';
import { hostParts } from './host-parts.ts';
import type { Leaving, Resuming } from './conversation-parts.ts';
import type { Screen } from './screen/mount-screen.tsx';
import { scrollAway } from './screen/scroll-away.ts';
import { OwnEditor } from './prompt/own-editor.ts';
import { keepEdit } from './session/keep-edit.ts';
import { tipFor } from '../../tui/menu/tips.ts';
import type { UserConfig } from '../config/config-schema.ts';
import { readHistory } from './prompt/prompt-history.ts';
import { hasShellAbove, placeOfProcess, stopProcess } from './screen/stop-process.ts';

/** How long leaving waits for a run to end in order. */
const END_WITHIN_MS = 3000;
const DEFAULT_COLUMNS = 80;
/** Monotonic: the screen must not stop when the calendar is set back. */
const nowMs = () => performance.now();
const after = (ms: number, callback: () => void) => void setTimeout(callback, ms).unref();

/**
 * A session in a terminal. The screen opens before the kernel is ready: typed text is kept and sent as soon as it is. Errors that can be detected
 * beforehand are thrown before anything is drawn; all others are shown on the screen.
 */
export async function runInteractive(args: RunArguments, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  // Read by the colour library when it is loaded.
  const dumb = env['TERM'] === 'dumb' || args.screenReader;
  if (dumb || (env['NO_COLOR'] ?? '') !== '') process.env['FORCE_COLOR'] = '0';
  const loading = dumb ? plainScreen() : drawnScreen();
  const setUp = async () => (await import('../setup/run-set-up.tsx')).runSetUp(args, env);
  const opening = await openOrSetUp(() => openSession(args, env), dumb ? null : setUp);
  if (opening === null) return EXIT.usage;
  const { opened, options } = opening;

  const left = Promise.withResolvers<Leaving>();
  const store = openStore(opened, sessionAtStart(args, opened, options, namesModel(args, env)), env);
  const keep = (name: string, bytes: Uint8Array) => keepEdit(opened.dirs, name, bytes);
  const editor = new OwnEditor({ env, keep, screen: () => screen });
  const conversation = new Conversation({
    store,
    options,
    nowMs,
    after,
    ...hostParts({ opened, args, env, nowMs: Date.now }),
    edit: (text, name) => editor.edit(text, name),
    keepEdit: (name, text) => keep(name, Buffer.from(text)),
    redraw: () => void screen.lend?.(() => scrollAway(process.stdout)),
    onLeave: left.resolve,
  });
  const onKey = (action: KeyAction) => conversation.onKey(action);
  void conversation.loadCommands();
  let ending: Leaving | null = null;
  void left.promise.then((how) => (ending = how));
  const isLeaving = () => ending !== null;
  const screen = (await loading)(
    { store, nowMs, onKey, projectRoot: opened.project.root, isLeaving },
    opened.userConfig,
  );
  void readHistory(opened.dirs).then((texts) => {
    store.dispatch({ kind: 'edit', edit: { kind: 'remembered', texts }, atMs: nowMs() });
    const showsTip = opened.userConfig.tips !== 'off' && args.task.trim() === '' && args.resume === null;
    if (showsTip) store.dispatch({ kind: 'tip', text: tipFor(texts.length) });
  });
  for (const signal of ENDING_SIGNALS) process.on(signal, () => left.resolve('terminate'));
  // A terminal that is gone, not always with a SIGHUP. The screen of lines reads its end itself.
  for (const stream of [process.stdin, process.stdout]) stream.on('error', () => left.resolve('terminate'));
  if (!dumb) process.stdin.on('end', () => left.resolve('quit'));
  process.on('SIGINT', () => {
    if (!editor.isOpen) left.resolve('interrupt');
  });
  if (args.task.trim() !== '') conversation.begin(args.task.trim());

  let close = () => undefined as void;
  try {
    const { connectKernel } = await import('../connect-kernel.ts');
    const connecting = connectKernel(opened, {
      env,
      allowRoot: args.allowRoot,
      baseUrls: baseUrlsOf(options.model, args.baseUrl),
      onProgress: (step) => conversation.onKernelProgress(step),
      onBack: () => conversation.onKernelReady(),
      onEvent: (event) => conversation.onEvent(event),
    });
    const kernel = await Promise.race([connecting, left.promise.then(() => null)]);
    if (kernel === null) {
      // The user left while the kernel was starting: disconnect as soon as it is ready.
      void connecting.then((late) => late.close()).catch(() => undefined);
      return exitCodeOf(await left.promise, store.current.queue.length > 0);
    }
    close = () => kernel.close();
    const lost = kernel.givenUp.then((error) => Promise.reject(error));
    await Promise.race([conversation.attach(kernel.client, resuming(args, env)), left.promise, lost]);
    const how = await Promise.race([left.promise, lost]);
    const cut = await endRun(store, conversation, how);
    return exitCodeOf(how, cut);
  } finally {
    const kept = await editor.close(ending === 'terminate' ? 'terminate' : 'wait');
    await screen.close(`${keptWords(kept)}${lastWords(store, args.project)}`, ending === 'interrupt');
    close();
  }
}

interface Opening {
  readonly opened: OpenProject;
  readonly options: SessionOptions;
}

async function openSession(args: RunArguments, env: NodeJS.ProcessEnv): Promise<Opening> {
  const opened = await openProject(args.project, args.allowRoot, env);
  const sources = { args, env, opened, invokerDir: process.cwd(), interactive: true, questions: true };
  return { opened, options: await sessionOptions(sources) };
}

function openStore(opened: OpenProject, session: SessionAtStart, env: NodeJS.ProcessEnv): ViewStore {
  const store = new ViewStore(
    initialView(
      {
        project: safeLine(opened.project.root),
        model: safeLine(session.model),
        mode: session.mode,
        theme: opened.userConfig.theme ?? assumedTheme(env),
        bindings: bindingsOf(opened.userConfig.keys?.chosen ?? {}),
      },
      safeLine('starting the kernel'),
    ),
    { nowMs, after },
  );
  store.dispatch({
    kind: 'edit',
    edit: { kind: 'keys', keys: opened.userConfig.keys?.style ?? 'emacs' },
    atMs: nowMs(),
  });
  const { project, model, mode, state } = store.current;
  store.dispatch({ kind: 'say', item: { kind: 'header', version: packageJson.version, project, model, mode, state } });
  return store;
}

function resuming({ resume, model }: RunArguments, env: NodeJS.ProcessEnv): Resuming | null {
  return resume === null ? null : { ...resume, keepModel: !namesModel({ model }, env) };
}

type ScreenParts = Pick<AppProps, 'store' | 'nowMs' | 'onKey'> & {
  readonly projectRoot: string;
  readonly isLeaving: () => boolean;
};
type OpenScreen = (parts: ScreenParts, config: Pick<UserConfig, 'theme' | 'motion' | 'notices' | 'links'>) => Screen;

async function drawnScreen(): Promise<OpenScreen> {
  const { mountScreen } = await import('./screen/mount-screen.tsx');
  const canSuspend = () => hasShellAbove(process.pid, placeOfProcess);
  return (parts, { theme, motion, notices = 'away', links = 'auto' }) =>
    mountScreen({
      ...parts,
      followsBackground: theme === undefined,
      isStill: motion === 'reduced',
      notices,
      links,
      stop: () => stopProcess(parts.isLeaving),
      canSuspend,
    });
}

async function plainScreen(): Promise<OpenScreen> {
  const { mountPlainScreen } = await import('./screen/plain-screen.tsx');
  const { stdin, stdout } = process;
  return (parts) => mountPlainScreen({ ...parts, stdin, stdout, columns: stdout.columns || DEFAULT_COLUMNS });
}

function keptWords(kept: readonly string[]): string {
  return kept.map((file) => `What you wrote is kept in ${exactLine(file)}\n`).join('');
}

/** A summary of the session and how to continue it; '' if no session has begun. */
function lastWords({ current }: ViewStore, project: string | undefined): string {
  const { sessionId } = current;
  return sessionId === null ? '' : `${exitSummary(current)}\nGo on with: ${resumeCommand(sessionId, project)}\n`;
}

function resumeCommand(sessionId: string, project: string | undefined): string {
  const where = project === undefined ? '' : ` --project '${exactLine(project).replaceAll("'", "'\\''")}'`;
  return `fluffy --resume ${safeLine(sessionId)}${where}`;
}

/** Ends the current run and waits for it for a short time. Resolves to whether the last run was interrupted. */
async function endRun(store: ViewStore, conversation: Conversation, how: Leaving): Promise<boolean> {
  if (store.current.run.kind === 'running') {
    const ended = new Promise<void>((resolve) => {
      store.subscribe(() => {
        if (store.current.run.kind === 'idle') resolve();
      });
      after(END_WITHIN_MS, resolve);
    });
    void conversation.stop(how === 'terminate' ? 'terminate' : 'interrupt');
    await ended;
  }
  const { run } = store.current;
  return run.kind === 'running' || run.last === 'cancelled';
}

function exitCodeOf(how: Leaving, cut: boolean): ExitCode {
  if (how === 'terminate') return EXIT.terminated;
  return how === 'interrupt' && cut ? EXIT.interrupted : EXIT.done;
}
