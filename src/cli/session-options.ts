import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { replayTurnSchema } from '../contracts/model/model.ts';
import type { ReplayTurn } from '../contracts/model/model.ts';
import type { ModelFacts } from '../contracts/model/model-facts.ts';
import type { SessionOptions, TestCommand } from '../contracts/session/session-protocol.ts';
import { findEndpoint, findKey, providerEndpoints, secretServiceKeyring, withBaseUrl } from '../host/secrets/index.ts';
import { MODEL_CATALOGUE } from '../lib/models/catalogue.ts';
import { findModel } from '../lib/models/find-model.ts';
import type { UserConfig } from './config/config-schema.ts';
import { testCommand } from './config/test-command.ts';
import type { RunArguments } from './run-arguments.ts';
import { configuredLimits } from './config/configured-limits.ts';
import { usage } from './usage-error.ts';
import type { Environment, OpenProject } from './open-project.ts';

const DEFAULT_MODEL = 'anthropic/claude-sonnet-4-5';

type Configured = Pick<OpenProject, 'projectConfig' | 'userConfig'>;

export interface OptionSources {
  readonly args: RunArguments;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly opened: OpenProject;
  /** Where a replay file's path starts. */
  readonly invokerDir: string;
  readonly interactive: boolean;
  /** A person may ask about a project whose tests nobody knows how to run. */
  readonly questions?: boolean;
}

/**
 * What a session is started with: command line over environment over project over user over default; the mode never from the project. Everything that can be
 * known to fail is found here, before a container starts: no test command, an unknown provider, a missing key, a limit in money without a price.
 */
export async function sessionOptions(sources: OptionSources): Promise<SessionOptions> {
  const { args, env, opened } = sources;
  const { userConfig: user, projectConfig, project } = opened;
  const model = args.model ?? defaultModel(opened, env);
  const [provider, name] = splitModel(model);
  const replay = provider === 'replay' ? await readReplay(resolve(sources.invokerDir, name)) : undefined;
  if (provider !== 'replay') await checkProvider({ env, opened, baseUrl: args.baseUrl }, provider);

  const { price, window_tokens, max_output_tokens } = factsOf(user, model);
  const limits = { ...configuredLimits(user.limits, sources.interactive), ...args.limits };
  if (limits.max_cost_usd !== undefined && price === undefined) {
    throw usage(
      `--max-cost or limits.cost needs a price for ${model}; set models.${model}.price in your config.yaml (USD per million tokens)`,
    );
  }
  if (user.session_limits?.cost_usd !== undefined && price === undefined && provider !== 'replay') {
    throw usage(
      `session_limits.cost_usd needs a price for ${model}; set models.${model}.price in your config.yaml (USD per million tokens)`,
    );
  }
  const small = provider === 'replay' ? undefined : user.small_model;
  if (small !== undefined) await checkProvider({ env, opened }, splitModel(small)[0]);
  const mode = args.mode ?? defaultMode(opened, env);
  return {
    mode,
    model,
    approve: args.approve,
    limits: { ...limits, ...sessionLimits(user) },
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
    interactive: sources.interactive,
    ...(replay === undefined ? {} : { replay }),
    ...(price === undefined ? {} : { price }),
    window_tokens,
    max_output_tokens,
    ...(small === undefined ? {} : { small_model: smallModel(user, small) }),
  };
}

function sessionLimits({ session_limits: limits }: UserConfig): SessionOptions['limits'] {
  return {
    ...(limits?.cost_usd === undefined ? {} : { max_session_cost_usd: limits.cost_usd }),
    ...(limits?.tokens === undefined ? {} : { max_session_tokens: limits.tokens }),
  };
}

/** How long, how much and whether checks count is the user's to say, never the project's. */
function withLimits(command: TestCommand | null, limits: UserConfig['test']): TestCommand | null {
  if (command === null || limits === undefined) return command;
  const { timeout, max_report: maxReport, checks } = limits;
  return {
    ...command,
    ...(checks === undefined ? {} : { checks }),
    ...(timeout === undefined ? {} : { timeout_ms: timeout }),
    ...(maxReport === undefined ? {} : { max_report_bytes: maxReport }),
  };
}

/** What is known of a model: the user's own words before the catalogue's. */
function factsOf(user: UserConfig, model: string): ModelFacts {
  const { facts } = findModel(MODEL_CATALOGUE, model, user.models[model]);
  const price = user.prices[model];
  return price === undefined ? facts : { ...facts, price };
}

function smallModel(user: UserConfig, model: string): NonNullable<SessionOptions['small_model']> {
  const { price } = factsOf(user, model);
  return { model, ...(price === undefined ? {} : { price }) };
}

/** The model of a session that is started without `--model`. */
export function defaultModel({ projectConfig, userConfig }: Configured, env: Environment): string {
  return env['FLUFFY_MODEL'] ?? projectConfig.model ?? userConfig.model ?? DEFAULT_MODEL;
}

/** The mode of a session that is started without `--mode`: never from the project. Throws FluffyError, exit 2. */
export function defaultMode({ userConfig }: Pick<OpenProject, 'userConfig'>, env: Environment): SessionOptions['mode'] {
  return modeFrom(env['FLUFFY_MODE']) ?? userConfig.mode ?? 'strict';
}

export function splitModel(model: string): [string, string] {
  const slash = model.indexOf('/');
  if (slash <= 0 || slash === model.length - 1)
    throw usage(`--model must be provider/model, not ${JSON.stringify(model)}`);
  return [model.slice(0, slash), model.slice(slash + 1)];
}

function modeFrom(text: string | undefined): SessionOptions['mode'] | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'strict' || text === 'explore' || text === 'debug') return text;
  throw usage(`FLUFFY_MODE must be strict, explore or debug, not ${JSON.stringify(text)}`);
}

/** Throws FluffyError for an unknown provider, a base URL that its key is not bound to, or a key that is not there. */
export async function checkProvider(
  {
    env,
    opened,
    baseUrl,
  }: { env: Environment; opened: Pick<OpenProject, 'userConfig' | 'user'>; baseUrl?: string | undefined },
  provider: string,
): Promise<void> {
  const found = findEndpoint(providerEndpoints(opened.userConfig.providers, env), provider);
  const endpoint = baseUrl === undefined ? found : withBaseUrl(found, baseUrl);
  await findKey(endpoint, { env, keysDirectory: opened.user.keys, keyring: secretServiceKeyring(env) });
}

async function readReplay(file: string): Promise<ReplayTurn[]> {
  const fail = (why: string) =>
    new FluffyError({
      code: 'replay_unusable',
      what: `The replay file ${file} cannot be used`,
      why,
      fix: 'Give a file of JSON lines, one assistant turn each: {"text"?, "calls"?: [{"tool","input"}], "delay_ms"?}',
      exitCode: EXIT.usage,
    });
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw fail(error.code === 'ENOENT' ? 'there is no such file' : String(error.code));
  });
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      let json: unknown;
      try {
        json = JSON.parse(line);
      } catch {
        throw fail(`line ${number} is not JSON`);
      }
      const turn = replayTurnSchema.safeParse(json);
      if (!turn.success) throw fail(`line ${number}: ${turn.error.issues[0]?.message ?? 'not a turn'}`);
      return turn.data;
    });
}
