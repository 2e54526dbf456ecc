import { gte } from 'semver';
import { readImageManifest } from '../../images/image-records.ts';
import { type ListedDirectory, listProject } from '../listed-directories.ts';
import { settingsText } from '../paths.ts';
import type { ToolchainOptions } from '../toolchain.ts';
import { virtualenvPlaces } from '../version-places.ts';
import { type AskedPython, askedPython } from './asked-python.ts';
import { type InstalledPython, installedPythons } from './installed-pythons.ts';

/** The lowest minor version of Python 3 with which tests can be run. */
export const OLDEST_PYTHON = 9;

/** Which Python runs the tests of a project without a virtual environment. */
export type PythonChoice =
  /** That of the images or of the virtual environment: the project requests it, or requests nothing. */
  | { readonly kind: 'fits' }
  /** A Python of this machine, best first. `image`: the minor version of the images. */
  | {
      readonly kind: 'installed';
      readonly asked: AskedPython;
      readonly image: string;
      readonly pythons: readonly [InstalledPython, ...InstalledPython[]];
    }
  /** Another than the project requests: that of the virtual environment, or null: that of the images. `installed`: one that fits. */
  | {
      readonly kind: 'other';
      readonly asked: AskedPython;
      readonly used: string;
      readonly virtualenv: string | null;
      readonly installed: InstalledPython | null;
    };

export interface PythonOptions extends Pick<ToolchainOptions, 'projectRoot' | 'env'> {
  readonly stateHome: string;
  /** The project's directories, if they are known. */
  readonly listed?: readonly ListedDirectory[];
}

/** Chooses the highest installed version that satisfies the project's request, if nothing else does. Nothing of the project is executed. */
export async function choosePython(options: PythonOptions): Promise<PythonChoice> {
  const { projectRoot, stateHome } = options;
  const asked = await askedPython(projectRoot, options.listed ?? (await listProject(projectRoot)));
  if (asked === null) return { kind: 'fits' };
  const { range } = asked;
  const own = await virtualenvOf(options);
  const used = own === null ? await imagePython(stateHome) : own.minor;
  if (used === null || range.allows(used)) return { kind: 'fits' };
  // Sandboxes run Linux programs.
  const installed = process.platform === 'linux' ? await installedPythons(options) : [];
  const all = installed.filter(({ version }) => gte(version, `3.${OLDEST_PYTHON}.0`));
  const fits = all.filter(({ version }) => range.has(version));
  const near = range.isExact ? all.filter(({ version }) => range.allows(minorOf(version) ?? '')) : [];
  const [first, ...others] = [...new Set([...fits, ...near])];
  return first !== undefined && own === null
    ? { kind: 'installed', asked, image: used, pythons: [first, ...others] }
    : { kind: 'other', asked, used, virtualenv: own?.name ?? null, installed: first ?? null };
}

/** The virtual environment that tests use: the project's, or else the active one outside of it. */
async function virtualenvOf({
  projectRoot,
  env,
}: PythonOptions): Promise<{ readonly name: string; readonly minor: string | null } | null> {
  for (const { name, settings: path } of virtualenvPlaces(projectRoot, env)) {
    const settings = await settingsText(path);
    if (settings !== null) return { name, minor: minorOf(/^version(?:_info)?\s*=\s*(\S+)/m.exec(settings)?.[1] ?? '') };
  }
  return null;
}

/** The Python of fluffy's own images if they are made from this host; null if unknown. */
async function imagePython(stateHome: string): Promise<string | null> {
  const { images } = await readImageManifest(stateHome);
  const paths = images['base']?.inputs?.map(({ path }) => path) ?? [];
  return paths.flatMap((path) => /^\/usr\/bin\/python(3\.\d+)$/.exec(path)?.[1] ?? [])[0] ?? null;
}

function minorOf(version: string): string | null {
  return /^3\.\d+/.exec(version)?.[0] ?? null;
}
