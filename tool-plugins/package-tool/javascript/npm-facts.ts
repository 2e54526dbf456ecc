import type { PackageJob, RegistryFacts } from '../../../src/contracts/sandbox/package-managers.ts';
import { askAll } from './npm-registry.ts';
import type { NpmRegistry } from './npm-registry.ts';

/** Packages that the registry is asked about. */
const MAX_FACTS = 20;

interface NewPackage {
  readonly name: string;
  readonly version: string;
  /** As the lockfile has it. */
  readonly licence?: string | null;
}

/** What the registry says of packages that HEAD does not have, those that a manifest names first. What it does not say is null. */
export async function factsOfNew(
  { request, manifest, members = {} }: Pick<PackageJob, 'request' | 'manifest' | 'members'>,
  registry: NpmRegistry,
  added: readonly NewPackage[],
): Promise<RegistryFacts[]> {
  const manifests = [manifest, ...Object.values(members)];
  const isNamed = ({ name }: NewPackage): boolean =>
    (request.kind === 'add' && request.name === name) || manifests.some((each) => each.includes(JSON.stringify(name)));
  const first = [...added].sort((a, b) => Number(isNamed(b)) - Number(isNamed(a))).slice(0, MAX_FACTS);
  return askAll(first, async ({ name, version, licence = null }) => {
    const answer = await registry.version(name, version);
    const known = answer === 'absent' ? null : answer;
    const deprecated = known?.deprecated ?? null;
    return {
      name,
      version,
      published_ms: known?.publishedMs ?? null,
      maintainers: known?.maintainers ?? null,
      licence: licence ?? known?.licence ?? null,
      ...(deprecated === null ? {} : { deprecated: deprecated.slice(0, 200) }),
    };
  });
}
