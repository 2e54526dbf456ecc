import type { ModelChoice } from '../contracts/model/model-choice.ts';
import { effortsOf } from '../contracts/model/model-facts.ts';
import type { SessionOptions, TestCommand } from '../contracts/session/session-protocol.ts';
import { configuredLimits } from './config/configured-limits.ts';
import type { UserConfig } from './config/config-schema.ts';
import { modelRoles } from './config/model-roles.ts';
import { userNotes } from './config/user-notes.ts';
import { testCommand } from './config/test-command.ts';
import { factsOf, resolveModel } from './models/resolve-model.ts';
import type { Environment, OpenProject } from './open-project.ts';
import type { RunArguments } from './run-arguments.ts';
import { usage } from './usage-error.ts';

export const DEFAULT_MODEL = 'anthropic/claude-sonnet-4-5';

type Configured = Pick<OpenProject, 'projectConfig' | 'userConfig'>;

export interface OptionSources {
  readonly args: RunArguments;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly opened: OpenProject;
  /** The directory to which a replay file's path is relative. */
  readonly invokerDir: string;
  readonly interactive: boolean;
  /** Allows questions about a project without a known test command. */
  readonly questions?: boolean;
}

/**
 * The options of a new session. Precedence: command line, environment, project, user, default; the mode never comes from the project. All foreseeable
 * failures are found here, before a container starts: no test command, an unknown provider, a missing key, a limit in money without a price.
 */
export async function sessionOptions(sources: OptionSources): Promise<SessionOptions> {
  const { args, env, opened } = sources;
  const { userConfig: user, projectConfig, project } = opened;
  const choice = await chosenModel(sources);
  const limits = { ...configuredLimits(user, sources.interactive), ...args.limits };
  checkPrice(limits, choice);
  const roles = choice.replay === undefined ? await roleModels(sources, limits) : {};
  const notes = await userNotes(opened.user);
  const mode = args.mode ?? defaultMode(opened, env);
  return {
    mode,
    ...choice,
    approve: args.approve,
    limits,
    cwd: project.cwd,
    test_command: withLimits(
      testCommand(
        project,
        { project: projectConfig.test, user: user.test },
        { mode, questions: sources.questions ?? false },
      ),
      user.test,
    ),
    author: { name: project.identity.name, email: project.identity.email },
    ...(project.autocrlf ? { autocrlf: true } : {}),
    interactive: sources.interactive,
    ...roles,
    ...(notes === null ? {} : { user_notes: notes }),
  };
}

/**
 * The model from the command line, else from the environment, that of a resumed session, the project or the user. A resumed session whose model is
 * not known here keeps it, so that no other needs a key.
 */
async function chosenModel({ args, env, opened, invokerDir }: OptionSources): Promise<ModelChoice> {
  const keepsModel = args.resume !== null && !namesModel(args, env);
  const own = keepsModel ? await modelOfSession(opened, args.resume.session) : null;
  const model = own ?? args.model ?? defaultModel(opened, env);
  const effort = args.effort ?? opened.userConfig.effort;
  const sources = { env, opened, invokerDir, baseUrl: args.baseUrl, needsKey: !keepsModel || own !== null };
  // A default effort is used only for models that offer it; an effort on the command line must be offered.
  const isOffered = effort !== undefined && effortsOf(factsOf(opened.userConfig, model)).includes(effort);
  return resolveModel(sources, model, isOffered ? effort : args.effort);
}

/** null: it is chosen later, unknown, or a recording, which the session has itself. */
async function modelOfSession({ dirs }: Pick<OpenProject, 'dirs'>, session: string | null): Promise<string | null> {
  if (session === null) return null;
  const { storedChoice } = await import('./session/read-sessions.ts');
  const model = storedChoice(dirs.database, session)?.model ?? null;
  return model?.startsWith('replay/') === true ? null : model;
}

/** Throws FluffyError `usage`, because a limit in money would have no effect. */
function checkPrice(
  limits: SessionOptions['limits'],
  { model, price, replay }: ModelChoice,
  role: 'models.fallback' | null = null,
): void {
  if (price !== undefined) return;
  const without = role === null ? '' : `, or take it out of ${role}`;
  const fix = `Set models.${model}.price in your config.yaml (USD per million tokens)${without}`;
  if (limits.max_cost_usd !== undefined) throw usage(`--max-cost or limits.cost needs a price for ${model}`, fix);
  const sums = [limits.max_session_cost_usd, limits.max_day_cost_usd, limits.max_project_cost_usd];
  if (replay === undefined && sums.some((limit) => limit !== undefined))
    throw usage(`A limit in money of a session, a day or a project needs a price for ${model}`, fix);
}

/** The other models in the user's own configuration. */
async function roleModels(
  { env, opened, invokerDir }: OptionSources,
  limits: SessionOptions['limits'],
): Promise<Pick<SessionOptions, 'small_model' | 'fallback_models'>> {
  const { small, fallback } = modelRoles(opened.userConfig);
  const resolved = (model: string): Promise<ModelChoice> => resolveModel({ env, opened, invokerDir }, model, undefined);
  const choices = await Promise.all(fallback.map(resolved));
  for (const choice of choices) checkPrice(limits, choice, 'models.fallback');
  return {
    // Without a price it is not used if there is a limit in money, and the run says so.
    ...(small === undefined ? {} : { small_model: smallOf(await resolved(small)) }),
    ...(choices.length === 0 ? {} : { fallback_models: choices }),
  };
}

function smallOf({ model, price, window_tokens: window }: ModelChoice): NonNullable<SessionOptions['small_model']> {
  return {
    model,
    ...(price === undefined ? {} : { price }),
    ...(window === undefined ? {} : { window_tokens: window }),
  };
}

/** Time, size and the use of checks are decided by the user, never by the project. */
export function withLimits(command: TestCommand | null, limits: UserConfig['test']): TestCommand | null {
  if (command === null || limits === undefined) return command;
  const { timeout, max_report: maxReport, checks } = limits;
  return {
    ...command,
    ...(checks === undefined ? {} : { checks }),
    ...(timeout === undefined ? {} : { timeout_ms: timeout }),
    ...(maxReport === undefined ? {} : { max_report_bytes: maxReport }),
  };
}

/** The model of a session that is started without `--model`. */
export function defaultModel({ projectConfig, userConfig }: Configured, env: Environment): string {
  return env['FLUFFY_MODEL'] ?? projectConfig.model ?? modelRoles(userConfig).main ?? DEFAULT_MODEL;
}

/** Whether this command line or environment names a model; otherwise a resumed session keeps its own. */
export function namesModel({ model }: Pick<RunArguments, 'model'>, env: Environment): boolean {
  return model !== undefined || env['FLUFFY_MODEL'] !== undefined;
}

/** The mode of a session that is started without `--mode`; never from the project. Throws FluffyError, exit 2. */
export function defaultMode({ userConfig }: Pick<OpenProject, 'userConfig'>, env: Environment): SessionOptions['mode'] {
  return modeFrom(env['FLUFFY_MODE']) ?? userConfig.mode ?? 'strict';
}

function modeFrom(text: string | undefined): SessionOptions['mode'] | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'strict' || text === 'explore' || text === 'debug') return text;
  throw usage(`FLUFFY_MODE must be strict, explore or debug, not ${JSON.stringify(text)}`);
}
