import { z } from 'zod';
import { parseJson } from '../parse-json.ts';

/** The fields of an entry in `packages` of package-lock.json that fluffy reads. */
const entrySchema = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  dev: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  license: z.unknown().optional(),
});

const lockSchema = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), entrySchema),
});

/** One installed package of an npm lockfile. */
export interface LockedPackage {
  /** The path where it is installed: `node_modules/a/node_modules/b`. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** Its origin, if the lockfile gives it. */
  readonly resolved: string | null;
  readonly integrity: string | null;
  /** A directory of the project that replaces a package. */
  readonly isLink: boolean;
  /** Came inside another package's archive, whose integrity value covers it. */
  readonly isBundled: boolean;
  readonly isDev: boolean;
  readonly hasInstallScript: boolean;
  readonly licence: string | null;
}

export type LockOutcome =
  | { readonly kind: 'lock'; readonly packages: readonly LockedPackage[] }
  | { readonly kind: 'unreadable'; readonly why: string };

const PLACE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/** Reads package-lock.json, versions 2 and 3. The project itself and its workspaces do not count as packages. */
export function readNpmLock(text: string): LockOutcome {
  const value = parseJson(text);
  if (value === undefined) return { kind: 'unreadable', why: 'it is not JSON' };
  const parsed = lockSchema.safeParse(value);
  if (!parsed.success) return { kind: 'unreadable', why: 'it is not a package-lock.json of version 2 or 3' };
  const packages = Object.entries(parsed.data.packages).flatMap(([place, entry]): LockedPackage[] => {
    const name = PLACE.exec(place)?.[1];
    if (name === undefined) return [];
    return [
      {
        place,
        name: entry.name ?? name,
        version: entry.version ?? '',
        resolved: entry.resolved ?? null,
        integrity: entry.integrity ?? null,
        isLink: entry.link === true,
        isBundled: entry.inBundle === true,
        isDev: entry.dev === true,
        hasInstallScript: entry.hasInstallScript === true,
        licence: typeof entry.license === 'string' ? entry.license.slice(0, 200) : null,
      },
    ];
  });
  return { kind: 'lock', packages };
}

/** Packages in a version that the old lockfile does not have, each once, in the order of the lockfile. */
export function newPackages(before: readonly LockedPackage[], after: readonly LockedPackage[]): LockedPackage[] {
  const idOf = ({ name, version }: LockedPackage): string => `${name}@${version}`;
  const known = new Set(before.map(idOf));
  return after.filter((each) => {
    const isNew = !known.has(idOf(each)) && !each.isLink;
    known.add(idOf(each));
    return isNew;
  });
}
