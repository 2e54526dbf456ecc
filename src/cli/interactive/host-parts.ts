import type { StartPlace } from '../doctor/check-start.ts';
import type { DoctorReport } from '../doctor/doctor-report.ts';
import { findProgram, programDirectories } from '../../host/programs/find-program.ts';
import { outsideImages } from '../images/outside-images.ts';
import type { OpenProject } from '../open-project.ts';
import type { RunArguments } from '../run-arguments.ts';
import { acceptedCommands } from './commands/accepted-commands.ts';
import { findCommandFiles } from './commands/find-command-files.ts';
import type { CommandSource } from './commands/own-commands.ts';
import type { ConversationParts } from './conversation-parts.ts';
import { listFiles } from './prompt/list-files.ts';
import { keepInHistory } from './prompt/prompt-history.ts';
import { hostModels } from './session/host-models.ts';
import { DROPPED_PATCH, FEEDBACK, PASTED_IMAGE, keepByTime } from './session/keep-by-time.ts';

interface Host {
  readonly opened: OpenProject;
  readonly args: RunArguments;
  readonly env: NodeJS.ProcessEnv;
  readonly nowMs: () => number;
}

type HostParts = Omit<
  ConversationParts,
  'store' | 'options' | 'nowMs' | 'after' | 'edit' | 'keepEdit' | 'redraw' | 'onLeave'
>;

/** What a conversation reads, writes and signs on this machine. Large modules are imported at their first use. */
export function hostParts({ opened, args, env, nowMs }: Host): HostParts {
  const { dirs, project, user } = opened;
  return {
    calendarMs: nowMs,
    decide: async (kernel, sessionId, shown, choice) => {
      const { decideShownReview } = await import('../review/decide-review.ts');
      return decideShownReview(kernel, user, sessionId, shown, choice);
    },
    keepPatch: (patch) => keepByTime(dirs, DROPPED_PATCH, patch, nowMs()),
    remember: (text) => void keepInHistory(dirs, text).catch(() => undefined),
    listFiles: () => listFiles(project.root),
    commands: commandSource(opened),
    models: hostModels(opened, env),
    // A resumed session needs the key of its own model only. Otherwise this was checked at the start.
    checkModel: async (model) => {
      if (args.resume === null) return;
      const { checkModel } = await import('../models/resolve-model.ts');
      await checkModel({ env, opened, baseUrl: args.baseUrl }, model);
    },
    clipboardImage: async () =>
      (await import('../images/clipboard-image.ts')).clipboardImage({
        env,
        platform: process.platform,
        find: (program) => findProgram(program, programDirectories(env['PATH'] ?? '', '/')),
        keep: (bytes) => keepByTime(dirs, PASTED_IMAGE, bytes, nowMs()),
      }),
    imagesIn: (text) =>
      outsideImages(text, { projectRoot: project.root, invokerDir: process.cwd(), home: env['HOME'] }),
    listSessions: async (without) =>
      (await import('../session/session-entries.ts')).sessionEntries(dirs.database, nowMs(), without),
    writeExport: async (id, file) => (await import('./session/export-here.ts')).exportHere(opened, id, file),
    examine: async (model) => {
      const { printDoctor } = await import('../doctor/print-doctor.ts');
      return printDoctor(await examine({ ...args, model }, env)).trimEnd();
    },
    writeFeedback: async ({ said, sessionId, model }) => {
      const { gatherFacts } = await import('./feedback/gather-facts.ts');
      const { feedbackText } = await import('./feedback/feedback-text.ts');
      const facts = await gatherFacts({ opened, env, doctor: await examine({ ...args, model }, env), said, sessionId });
      return keepByTime(dirs, FEEDBACK, feedbackText(facts), nowMs());
    },
    keepTheme: (theme) => keepSetting('theme', theme, env),
    // Keys that were chosen for single actions stay.
    saveKeys: (keys) => keepSetting(hasChosenKeys(opened) ? 'keys.style' : 'keys', keys, env),
  };
}

async function examine(args: StartPlace, env: NodeJS.ProcessEnv): Promise<DoctorReport> {
  return (await import('../doctor/doctor-here.ts')).doctorHere(args, env);
}

function hasChosenKeys({ userConfig }: OpenProject): boolean {
  return Object.values(userConfig.keys?.chosen ?? {}).some((keys) => keys !== undefined);
}

async function keepSetting(
  key: 'theme' | 'keys' | 'keys.style',
  value: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return (await import('../config/config-commands.ts')).setUserValue(key, value, env);
}

function commandSource({ user, dirs, project }: OpenProject): CommandSource {
  return {
    ...acceptedCommands(dirs),
    find: () => findCommandFiles({ config: user.config, projectRoot: project.root }),
  };
}
