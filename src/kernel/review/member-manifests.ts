import { posix } from 'node:path';
import type { ProjectPath } from '../../contracts/ids.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { PACKAGE_MANAGERS } from '../../contracts/sandbox/package-managers.ts';
import type {
  MemberManifests,
  PackageManagerFiles,
  PackageManagerName,
  SettingFiles,
} from '../../contracts/sandbox/package-managers.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import type { PackageTexts } from '../packages/manager.ts';
import { MANAGERS } from '../packages/registry.ts';

export const MAX_MEMBERS = 500;
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** The manifests of the members that the top manifest names, by directory; null if there are too many to read. */
export async function memberManifests(
  workspace: Pick<Workspace, 'glob' | 'read'>,
  manager: PackageManagerName,
  texts: Pick<PackageTexts, 'manifest' | 'settings'>,
): Promise<MemberManifests | null> {
  const file = PACKAGE_MANAGERS[manager].manifest;
  const directories = new Set<string>();
  for (const glob of MANAGERS[manager].memberGlobs?.(texts) ?? []) {
    const isExclusion = glob.startsWith('!');
    const pattern = posix.join(isExclusion ? glob.slice(1) : glob, file);
    const { paths, truncated } = await workspace.glob(pattern, '' as ProjectPath, MAX_MEMBERS);
    if (truncated) return null;
    for (const directory of paths.map((path) => posix.dirname(path)).filter(isOwn))
      if (isExclusion) directories.delete(directory);
      else directories.add(directory);
  }
  if (directories.size > MAX_MEMBERS) return null;
  const members: Record<string, string> = {};
  for (const directory of [...directories].sort()) {
    const read = await workspace.read(`${directory}/${file}` as ProjectPath, MAX_MANIFEST_BYTES);
    const text = read.kind === 'file' ? decodeUtf8(read.bytes) : null;
    if (text !== null) members[directory] = text;
  }
  return members;
}

/** The other files that decide what is installed, if they exist and can be read. */
export async function settingFiles(
  workspace: Pick<Workspace, 'read'>,
  manager: PackageManagerName,
): Promise<SettingFiles> {
  const { settings = [] }: PackageManagerFiles = PACKAGE_MANAGERS[manager];
  const texts: Record<string, string> = {};
  for (const path of settings) {
    const read = await workspace.read(path as ProjectPath, MAX_MANIFEST_BYTES);
    const text = read.kind === 'file' ? decodeUtf8(read.bytes) : null;
    if (text !== null) texts[path] = text;
  }
  return texts;
}

function isOwn(directory: string): boolean {
  return directory !== '.' && !directory.split('/').some((name) => name === 'node_modules' || name === '..');
}
