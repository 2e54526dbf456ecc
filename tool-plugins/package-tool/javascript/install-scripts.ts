import { readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../../../src/lib/parse-json.ts';
import { runProgram } from '../run-program.ts';

const STEPS = ['preinstall', 'install', 'postinstall'] as const;
const MODULES = 'node_modules';

/** Directories in which packages of these names are installed, as `name@version` says them. Nothing that is a link is followed. */
export async function findInstalled(directory: string, wanted: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = join(directory, entry.name);
    if (wanted.has(await identityOf(path))) found.push(path);
    found.push(...(await findInstalled(path, wanted)));
  }
  return found;
}

async function identityOf(directory: string): Promise<string> {
  const isPackage = [dirname(directory), dirname(dirname(directory))].some((each) => each.endsWith(`/${MODULES}`));
  if (!isPackage) return '';
  const { name, version } = objectOf(
    parseJson(await readFile(join(directory, 'package.json'), 'utf8').catch(() => '')),
  );
  return typeof name === 'string' && typeof version === 'string' ? `${name}@${version}` : '';
}

/** Runs what a package wants to run when it is installed, as npm does. What went wrong, or null. */
export async function runInstallScripts(
  directory: string,
  project: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { name, version, scripts } = objectOf(parseJson(await readFile(join(directory, 'package.json'), 'utf8')));
  const said = objectOf(scripts);
  const hasGyp = await stat(join(directory, 'binding.gyp')).then(
    () => said['install'] === undefined && said['preinstall'] === undefined,
    () => false,
  );
  const programs = [join(directory, MODULES, '.bin'), join(project, MODULES, '.bin')];
  for (const step of STEPS) {
    const script = step === 'install' && hasGyp ? 'node-gyp rebuild' : said[step];
    if (typeof script !== 'string' || script === '') continue;
    const ended = await runProgram(['/bin/sh', '-c', script], {
      cwd: directory,
      env: {
        ...env,
        PATH: [...programs, env['PATH'] ?? ''].join(':'),
        INIT_CWD: project,
        npm_lifecycle_event: step,
        npm_package_name: String(name),
        npm_package_version: String(version),
      },
    });
    if (ended.code !== 0) return `${step} of ${String(name)}: ${ended.output.trim().slice(-2_000)}`;
  }
  return null;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
