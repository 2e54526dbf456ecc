import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { projectDirs, userDirs } from '../../contracts/host-layout.ts';
import type { UserDirs } from '../../contracts/host-layout.ts';
import type { ProtectedLocations } from '../../contracts/protected-locations.ts';
import { usage } from '../arguments.ts';
import { trustedPolicies } from '../config/trusted-policies.ts';
import { check } from '../config/policy/check.ts';
import { distrust } from '../config/policy/distrust.ts';
import { edit } from '../config/policy/edit.ts';
import { renderReport } from '../config/policy/edit-report.ts';
import { explain, explainStdin } from '../config/policy/explain.ts';
import { personAtTerminal } from '../config/policy/person-at-terminal.ts';
import type { PolicySource } from '../config/policy/policy-source.ts';
import { show } from '../config/policy/show.ts';
import { writeAll } from '../config/policy/write-all.ts';
import { locationsInside } from '../locations-inside.ts';
import { REPOSITORY_ROOT } from '../open-project.ts';
import type { Environment } from '../open-project.ts';
import { findRepository } from '../project/find-repository.ts';
import { projectIdOf } from '../supervisor/instance.ts';
import { policyUpdater, reloadRunningKernel } from './policy-updater.ts';

const OPTIONS = {
  state: { type: 'string' },
  mode: { type: 'string' },
  tag: { type: 'string', multiple: true },
  plugin: { type: 'string' },
  host: { type: 'string' },
  template: { type: 'string' },
  policy: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean', default: false },
  batch: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const HELP = `fluffy config policy show|check|explain|edit|distrust

  show [--json]                                    the policy in force
  check [FILE] [--json]                            errors and warnings with file:line:column; exit 2 on error
  explain SYSCALL [PATH] [--state S] [--mode M] [--tag T]... [--plugin P] [--host H] [--policy FILE] [--json]
  edit [--json]                                    change the project's policy in $EDITOR, see what it changes, and sign it
  distrust [--all] [--json]                        take your signature of the project's policy back; --all: of every one it has had
  explain --batch [--policy FILE]                  one JSON request a line on standard input
`;

/** `fluffy config policy …`: needs neither container nor project. */
export async function policyCommand(argv: readonly string[], env: Environment): Promise<ExitCode> {
  const { values, positionals } = read(argv);
  const [action, ...rest] = positionals;
  const { stdout, stderr } = process;
  if (values.help || action === undefined) {
    stdout.write(HELP);
    return values.help ? EXIT.done : EXIT.usage;
  }
  refuseMore(action, rest, values.batch);
  const projectRoot = await projectRootOf(values.project);
  const source = async (file: string | undefined): Promise<PolicySource> => {
    const user = userDirs(env);
    const inside = projectRoot === null ? {} : { locations: await ownLocations(projectRoot, user) };
    return file === undefined
      ? {
          kind: 'project',
          installRoot: REPOSITORY_ROOT,
          projectRoot,
          trustedHashes: new Set(await trustedPolicies(user.trust)),
          ...inside,
        }
      : { kind: 'file', file: resolve(file), ...inside };
  };
  switch (action) {
    case 'show':
      return show({ source: await source(values.policy), json: values.json, stdout, stderr });
    case 'check':
      return check({ source: await source(rest[0] ?? values.policy), json: values.json, stdout });
    case 'explain': {
      const options = { source: await source(values.policy), json: values.json, projectRoot, stdout, stderr };
      if (values.batch) return explainStdin(process.stdin, options);
      const [syscall, path] = rest;
      if (syscall === undefined) throw usage('config policy explain needs a syscall');
      const { state, mode, tag, plugin, host, template } = values;
      return explain({ syscall, path, host, state, mode, tags: tag, plugin, template }, options);
    }
    case 'edit': {
      const { user, dirs } = ownProject(action, projectRoot, env);
      const person = personAtTerminal({ env, json: values.json });
      try {
        const { exitCode } = await edit({
          projectRoot: dirs.root,
          trustDirectory: user.trust,
          person,
          updater: () => policyUpdater(dirs, user),
          stderr,
          ...(values.json ? { report: (report) => writeAll(stdout, renderReport(report)) } : {}),
        });
        return exitCode;
      } finally {
        person.close();
      }
    }
    case 'distrust': {
      const { user, dirs } = ownProject(action, projectRoot, env);
      const takeUp = () => reloadRunningKernel(dirs);
      const { all, json } = values;
      return distrust({ projectRoot: dirs.root, trustDirectory: user.trust, all, takeUp, json, stdout, stderr });
    }
    default:
      throw usage(`config policy has no ${JSON.stringify(action)}`);
  }
}

function ownLocations(projectRoot: string, user: UserDirs): Promise<ProtectedLocations> {
  return locationsInside(projectDirs(user, projectRoot, projectIdOf(projectRoot)), user, REPOSITORY_ROOT);
}

/** A word that nothing is done with was meant for something. */
function refuseMore(action: string, rest: readonly string[], batch: boolean): void {
  const places: Readonly<Record<string, number>> = { show: 0, check: 1, explain: batch ? 0 : 2, edit: 0, distrust: 0 };
  const extra = rest[places[action] ?? rest.length];
  if (extra !== undefined) throw usage(`config policy ${action} has no place for ${JSON.stringify(extra)}`);
}

function ownProject(action: string, projectRoot: string | null, env: Environment) {
  if (projectRoot === null) throw usage(`config policy ${action} needs a project`);
  const user = userDirs(env);
  return { user, dirs: projectDirs(user, projectRoot, projectIdOf(projectRoot)) };
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

async function projectRootOf(where: string | undefined): Promise<string | null> {
  const found = await findRepository(resolve(where ?? '.')).catch(() => null);
  return found !== null && found.kind !== 'problem' ? found.root : null;
}
