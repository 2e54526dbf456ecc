import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findProgram, programDirectories } from '../programs/find-program.ts';
import { readCertificates } from '../secrets/extra-ca.ts';
import type { Environment, HostPackageManager, RegistrySettings } from './package-manager.ts';
import { pythonText } from './python-text.ts';
import { registryRule, registryUnusable } from './registry-rule.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;
/** The minimum version: since this one it can report what it would install. */
const OLDEST = [22, 2] as const;

/** pip knows its own default index and where its files are; then it prints the user's configuration. */
const ASK = `
import json, os, sys
import pip
from pip._internal.models.index import PyPI
from pip._internal.cli.main import main
home = os.path.dirname(os.path.abspath(pip.__file__))
print(json.dumps({"home": home, "version": pip.__version__, "index": PyPI.simple_url, "files": PyPI.file_storage_domain}), flush=True)
sys.exit(main(["config", "list"]))
`;

const ownSchema = z.strictObject({
  home: z.string().startsWith('/'),
  version: z.string(),
  index: z.string(),
  files: z.string(),
});

interface PipAnswer extends z.infer<typeof ownSchema> {
  /** By name; settings for `install` take precedence over those for all commands, and variables over both. */
  readonly settings: ReadonlyMap<string, string>;
}

export const pip: HostPackageManager = {
  name: 'pip',

  find: async (env) => {
    const asked = await askPip(env);
    return asked.kind === 'reported' ? [asked.pip.home] : null;
  },

  settings: async (env) => {
    const asked = await askPip(env);
    if (asked.kind === 'none') throw registryUnusable('pip', asked.why, asked.cause);
    const { settings } = asked.pip;
    return settingsFor(asked.pip, {
      index: settings.get('index-url') ?? null,
      more: words(settings.get('extra-index-url')),
    });
  },
};

/** The indexes of Python packages in the user's configuration. */
export interface PythonIndexes {
  /** null: pip's own default. */
  readonly index: string | null;
  readonly more: readonly string[];
}

/** pip's settings, with the indexes of another program's configuration in place of its own, if that names any. */
export async function pipSettings(env: Environment, other: PythonIndexes | null): Promise<RegistrySettings> {
  if (other === null) return pip.settings(env);
  const asked = await askPip(env);
  if (asked.kind === 'none') throw registryUnusable('pip', asked.why, asked.cause);
  return settingsFor(asked.pip, other);
}

async function settingsFor(
  { home, index, files, settings }: PipAnswer,
  { index: own, more }: PythonIndexes,
): Promise<RegistrySettings> {
  const trusted = words(settings.get('trusted-host'));
  const hosts = [own ?? index, ...more].map((url) => registryRule('pip', url));
  const cert = settings.get('cert');
  return {
    grant: {
      program: home,
      registry: own ?? index,
      settings: [...more.map((url) => `extra-index-url=${url}`), ...trusted.map((host) => `trusted-host=${host}`)],
    },
    hosts: own === null ? [...hosts, registryRule('pip', `https://${files}/`)] : hosts,
    certificates: cert === undefined ? [] : await readCertificates(cert, "the setting cert of pip's configuration"),
  };
}

type Asked =
  | { readonly kind: 'reported'; readonly pip: PipAnswer }
  | { readonly kind: 'none'; readonly why: string; readonly cause?: unknown };

/** Runs in the root directory without Python's environment variables, so that no project can influence it. */
async function askPip(env: Environment): Promise<Asked> {
  const python = findProgram('python3', programDirectories(env['PATH'] ?? '', '/'));
  if (python === undefined) return { kind: 'none', why: 'this machine has no python3' };
  try {
    const { stdout } = await run(python, ['-I', '-c', ASK], {
      cwd: '/',
      env: { ...env },
      timeout: ASK_DEADLINE_MS,
      maxBuffer: 1024 * 1024,
    });
    const [first = '', ...lines] = stdout.split('\n');
    const own = ownSchema.parse(JSON.parse(first));
    if (!isNewEnough(own.version))
      return { kind: 'none', why: `pip ${own.version} is too old; ${OLDEST.join('.')} or later is needed` };
    return { kind: 'reported', pip: { ...own, settings: settingsOf(lines) } };
  } catch (cause) {
    return { kind: 'none', why: `python3 of this machine has no pip that answers`, cause };
  }
}

const SECTIONS = ['global', 'install', ':env:'];

function settingsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = lines.flatMap((line) => {
    const [, section = '', name = '', value = ''] = /^([a-z:]+)\.([a-z-]+)=(.*)$/.exec(line) ?? [];
    const text = SECTIONS.includes(section) ? pythonText(value) : null;
    return text === null ? [] : [{ section, name, text }];
  });
  found.sort((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section));
  return new Map(found.map(({ name, text }) => [name, text]));
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '');
}
