import { z } from 'zod';
import type { RegistryFacts } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageWork } from '../package-work.ts';
import { askRegistry } from '../registry-facts.ts';

/** A package as pip has chosen it. */
export interface ChosenPackage {
  readonly name: string;
  readonly version: string;
  /** The name of its wheel. */
  readonly file: string;
  readonly sha256: string | null;
  /** By the wheel's own metadata. */
  readonly licence: string | null;
}

export interface PipFacts {
  readonly facts: RegistryFacts;
  /** SHA-256 of every file of this version, sorted. */
  readonly hashes: readonly string[];
}

const SIMPLE_JSON = 'application/vnd.pypi.simple.v1+json';

const pageSchema = z.looseObject({
  files: z.array(
    z.looseObject({
      filename: z.string(),
      hashes: z.record(z.string(), z.string()).default({}),
      'upload-time': z.string().optional(),
    }),
  ),
});
type Files = z.infer<typeof pageSchema>['files'];

/** What the index says of packages. An index that answers in HTML alone says nothing but the hash that pip has seen. */
export function pipFacts(work: PackageWork, chosen: readonly ChosenPackage[]): Promise<PipFacts[]> {
  return Promise.all(
    chosen.map(async ({ name, version, file, sha256, licence }) => {
      const page = pageSchema.safeParse(await askRegistry(work, `${name}/`, SIMPLE_JSON));
      const files = page.success ? page.data.files : [];
      const uploaded = Date.parse(files.find(({ filename }) => filename === file)?.['upload-time'] ?? '');
      const hashes = [...(sha256 === null ? [] : [sha256]), ...hashesOf(files, file)];
      const publishedMs = Number.isFinite(uploaded) ? uploaded : null;
      return {
        facts: { name, version, published_ms: publishedMs, maintainers: null, licence },
        hashes: [...new Set(hashes)].sort(),
      };
    }),
  );
}

/** Of all files of the version that the wheel is of: `name-version-…` and `name-version.tar.gz`. */
function hashesOf(files: Files, wheel: string): string[] {
  const stem = wheel.split('-').slice(0, 2).join('-').toLowerCase();
  return files.flatMap(({ filename, hashes }) => {
    const lower = filename.toLowerCase();
    const isSame = lower.startsWith(`${stem}-`) || lower === `${stem}.tar.gz` || lower === `${stem}.zip`;
    const hash = hashes['sha256'];
    return isSame && hash !== undefined && /^[0-9a-f]{64}$/.test(hash) ? [hash] : [];
  });
}
