import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { FileState } from '../../../contracts/review/change-set.ts';
import { PACKAGE_MANAGERS, PACKAGE_MANAGER_NAMES } from '../../../contracts/sandbox/package-managers.ts';
import type {
  MemberManifests,
  PackageManagerFiles,
  PackageManagerName,
  SettingFiles,
} from '../../../contracts/sandbox/package-managers.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { MAX_MEMBERS, memberManifests, settingFiles } from '../../review/member-manifests.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LOCKFILE_BYTES = 32 * 1024 * 1024;

/** A manifest or lockfile as it is before. */
export interface Found {
  readonly path: ProjectPath;
  readonly text: string | null;
  readonly state: FileState;
}

/** The packages of a project and who manages them. */
export interface FoundPackages {
  readonly name: PackageManagerName;
  readonly manifest: Found;
  readonly lockfile: Found;
  readonly members: MemberManifests;
  readonly settings: SettingFiles;
}

export type FindOutcome =
  ({ readonly kind: 'found' } & FoundPackages) | { readonly kind: 'none'; readonly why: string };

/** A manager whose manifest is there. */
interface Candidate {
  readonly name: PackageManagerName;
  readonly manifest: Found;
  /** A file that says that the packages are managed in another way. */
  readonly other: string | null;
}

/** The package manager of the project: the requested one, or the only one whose manifest is there. */
export async function findManager(workspace: Workspace, requested?: PackageManagerName): Promise<FindOutcome> {
  const names = requested === undefined ? PACKAGE_MANAGER_NAMES : [requested];
  const manifests = await Promise.all(
    names.map(async (name) => ({
      name,
      manifest: await readFound(workspace, PACKAGE_MANAGERS[name].manifest, MAX_FILE_BYTES),
    })),
  );
  const there: Candidate[] = [];
  for (const { name, manifest } of manifests)
    if (manifest !== null && manifest.text !== null && (await hasNeeded(workspace, name)))
      there.push({ name, manifest, other: await firstThere(workspace, PACKAGE_MANAGERS[name].others) });
  const [first] = there;
  if (first === undefined) {
    const wanted = names.map((name) => PACKAGE_MANAGERS[name].manifest);
    return none(
      `There is no ${[...new Set(wanted)].join(' or ')} at the top of the project. Write one first, or ask the user.`,
    );
  }
  const usable = there.filter(({ other }) => other === null);
  if (usable.length > 1)
    return none(`The project has packages of ${usable.map(({ name }) => name).join(' and ')}: name the manager.`);
  const { name, manifest, other } = usable[0] ?? first;
  if (other !== null)
    return none(
      `The packages of this project are not managed by ${name} alone: ${other} is there. Ask the user to install them.`,
    );
  const lockfile = await readFound(workspace, PACKAGE_MANAGERS[name].lockfile, MAX_LOCKFILE_BYTES);
  if (lockfile === null) return none(`${PACKAGE_MANAGERS[name].lockfile} cannot be read as text.`);
  const settings = await settingFiles(workspace, name);
  const members = await memberManifests(workspace, name, { manifest: manifest.text ?? '', settings });
  return members === null
    ? none(`The workspace has more than ${MAX_MEMBERS} members. Ask the user to install the packages.`)
    : { kind: 'found', name, manifest, lockfile, members, settings };
}

async function hasNeeded(workspace: Workspace, name: PackageManagerName): Promise<boolean> {
  const { lockfile, needsLockfile = false }: PackageManagerFiles = PACKAGE_MANAGERS[name];
  return !needsLockfile || (await firstThere(workspace, [lockfile])) !== null;
}

async function firstThere(workspace: Workspace, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await workspace.kindOf(path as ProjectPath)) !== 'absent') return path;
  return null;
}

/** null: something is there that is no text. */
export async function readFound(workspace: Workspace, name: string, maxBytes = MAX_FILE_BYTES): Promise<Found | null> {
  const path = name as ProjectPath;
  const read = await workspace.read(path, maxBytes);
  if (read.kind === 'missing') return { path, text: null, state: { kind: 'absent' } };
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : null;
  return read.kind === 'file' && text !== null ? { path, text, state: read.state } : null;
}

function none(why: string): FindOutcome {
  return { kind: 'none', why };
}
