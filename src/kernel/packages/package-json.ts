import { canonicalJson } from '../../lib/canonical-json.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { MemberManifests, PackageRequest } from '../../contracts/sandbox/package-managers.ts';
import type { PackageTexts } from './manager.ts';

const SECTIONS = ['dependencies', 'devDependencies'] as const;
export const LISTS = [...SECTIONS, 'optionalDependencies', 'peerDependencies'] as const;
/** The directory of the project's own manifest. */
export const TOP = '';

/** Globs of the members that `workspaces` names. */
export function workspacesOf(manifest: string): string[] {
  const { workspaces } = objectOf(manifest) ?? {};
  const listed = Array.isArray(workspaces) ? workspaces : objectIn(workspaces)['packages'];
  return memberGlobsOf(Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : []);
}

export function memberGlobsOf(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)(?:\.?\/)+/, '$1').replace(/\/+$/, ''));
}

/** What an addition has changed beyond the requested dependency in the requested manifest; null if nothing. */
export function whyBeyond(
  before: Manifests,
  after: Manifests,
  { name, directory = TOP }: Extract<PackageRequest, { kind: 'add' }>,
): string | null {
  const other = changedManifests(before, after).find((each) => each !== directory);
  if (other !== undefined) return `package.json of ${other || 'the project'} was changed too`;
  return onlyDependencyChanged(manifestsOf(before)[directory], manifestsOf(after)[directory], name)
    ? null
    : `package.json was changed beyond the dependency ${name}`;
}

type Manifests = Pick<PackageTexts, 'manifest' | 'members'>;

/** Manifests by directory, the project's own under the top directory. */
export function manifestsOf({ manifest, members }: Manifests): MemberManifests {
  return { ...members, [TOP]: manifest };
}

export function changedManifests(before: Manifests, after: Manifests): string[] {
  const [old, now] = [manifestsOf(before), manifestsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((each) => old[each] !== now[each]);
}

/** Whether the two manifests are equal apart from one dependency, in whatever list it is. */
function onlyDependencyChanged(before = '', after = '', name: string): boolean {
  const [one, other] = [without(objectOf(before), name), without(objectOf(after), name)];
  return one !== null && other !== null && canonicalJson(one) === canonicalJson(other);
}

function without(manifest: Readonly<Record<string, unknown>> | null, name: string): object | null {
  if (manifest === null) return null;
  const rest: Record<string, unknown> = { ...manifest };
  for (const section of SECTIONS) {
    const listed = rest[section];
    if (typeof listed !== 'object' || listed === null) continue;
    const others = Object.entries(listed).filter(([each]) => each !== name);
    if (others.length === 0) delete rest[section];
    else rest[section] = Object.fromEntries(others);
  }
  return rest;
}

export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function objectOf(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
