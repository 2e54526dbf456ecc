import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SESSION_MODES, SESSION_STATES } from '../../contracts/session/workflow-states.ts';
import { PROVIDERS } from '../../contracts/model/providers.ts';
import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import type { Environment } from '../open-project.ts';
import type { Expected, ValueKind } from './completions.ts';
import { SHELLS } from './shell-scripts.ts';

export interface ValueRequest {
  readonly typed: string;
  /** The argument before it. */
  readonly of: string;
  readonly project: string | undefined;
  readonly env: Environment;
}

const MAX_SESSIONS = 50;
const REPLAY = 'replay/';
const KEYS_OF_MODELS: readonly string[] = ['model', 'models.main', 'models.small'];

/** The sources of each kind of value; no kernel is started for them. Each imports its own large modules. */
const SOURCES: Readonly<Record<ValueKind, (request: ValueRequest) => Promise<readonly string[]>>> = {
  async session({ project, env }) {
    const { locateProject } = await import('../open-project.ts');
    const { listSessions } = await import('../session/read-sessions.ts');
    const { database } = await locateProject(project, { env });
    return listSessions(database)
      .slice(0, MAX_SESSIONS)
      .map(({ id }) => id);
  },
  model: models,
  async key() {
    const { configKeys } = await import('../config/config-keys.ts');
    return [...configKeys().keys()];
  },
  async value(request) {
    if (KEYS_OF_MODELS.includes(request.of)) return models(request);
    const { configKeys } = await import('../config/config-keys.ts');
    return configKeys().get(request.of) ?? [];
  },
  async provider({ env }) {
    const { keyNames } = await import('../config/set-key.ts');
    const { userConfigFile } = await import('../config/load-config.ts');
    return keyNames(userConfigFile(env), env);
  },
  shell: () => Promise.resolve(SHELLS),
  syscall: async () => (await import('../../kernel/policy/index.ts')).KNOWN_SYSCALLS,
  state: () => Promise.resolve(SESSION_STATES),
  mode: () => Promise.resolve(SESSION_MODES),
};

/** What cannot be read is left out, because a shell cannot show errors here. */
export async function readValues(
  { values, typed }: Pick<Expected, 'values' | 'typed'>,
  given: Pick<ValueRequest, 'project' | 'env'>,
): Promise<readonly string[]> {
  if (values === null) return [];
  return SOURCES[values.kind]({ ...given, typed, of: values.of }).catch(() => []);
}

/** From the catalogue and the user's configuration; for a provider with unknown models, the beginning of a name. */
async function models({ typed, env }: ValueRequest): Promise<readonly string[]> {
  if (typed.startsWith(REPLAY)) return replayFiles(typed.slice(REPLAY.length));
  const { loadUserConfig, userConfigFile } = await import('../config/load-config.ts');
  const own = await loadUserConfig(userConfigFile(env)).catch(() => null);
  const names = [...Object.keys(MODEL_CATALOGUE.models), ...Object.keys(own?.models ?? {})].filter((name) =>
    name.includes('/'),
  );
  const providers = [...Object.keys(PROVIDERS), ...Object.keys(own?.providers ?? {})].map((name) => `${name}/`);
  return [...names, ...providers.filter((provider) => !names.some((name) => name.startsWith(provider)))];
}

/** Recordings and directories; a name that is not a single line of text is left out. */
async function replayFiles(path: string): Promise<readonly string[]> {
  const directory = path.slice(0, path.lastIndexOf('/') + 1);
  const hidden = path.slice(directory.length).startsWith('.');
  const entries = await readdir(resolve(directory), { withFileTypes: true });
  return entries
    .filter(({ name }) => name.startsWith('.') === hidden && !/\p{C}/u.test(name))
    .flatMap((entry) => {
      if (entry.isDirectory()) return [`${REPLAY}${directory}${entry.name}/`];
      return entry.name.endsWith('.jsonl') ? [`${REPLAY}${directory}${entry.name}`] : [];
    });
}
