import type {
  MemberManifests,
  PackageManagerName,
  PackageReport,
  PackageRequest,
  SettingFiles,
} from '../../contracts/sandbox/package-managers.ts';

/** What manifest and lockfile of a project say before a package manager runs. */
export interface PackageTexts {
  readonly manifest: string;
  /** null: there is none. */
  readonly lockfile: string | null;
  /** Manifests of the project's own packages that share the lockfile; absent if there are none. */
  readonly members?: MemberManifests | undefined;
  /** Other files that decide what is installed and where. */
  readonly settings?: SettingFiles | undefined;
}

/** A package version that the lockfile did not have before. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
  readonly hasInstallScript: boolean;
}

/** A package that the manifest or lockfile names. */
export interface NamedPackage extends AddedPackage {
  /** Where the manifest lists it; null if another package required it. */
  readonly listed: string | null;
  /** Digest of its archive, or of all its archives. */
  readonly digest: string | null;
}

/** A package that differs from the earlier state, and how. */
export interface UnlikePackage extends NamedPackage {
  readonly unlike:
    | { readonly kind: 'new' }
    /** The same name and version now have other content. */
    | { readonly kind: 'another-archive' }
    | { readonly kind: 'listed-elsewhere'; readonly before: string };
}

export type Judgement =
  | {
      readonly kind: 'good';
      /** The requested package as the registry names it, where that can differ from the request. */
      readonly name?: string;
      readonly added: readonly AddedPackage[];
      /** Number of installed packages. */
      readonly installed: number;
      /** Names of all packages with an install script. */
      readonly withScripts: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

export function refused(why: string): Judgement {
  return { kind: 'refused', why };
}

/** What the kernel knows about one package manager. All functions are pure. */
export interface PackageManager {
  readonly name: PackageManagerName;
  /** The program that installs, and whose configuration names the registry; absent if it is the manager's own name. */
  readonly program?: string;
  /** What to do if manifest and lockfile do not agree. */
  readonly outOfStep: string;
  /** The name of a package in the form that the lockfile uses. */
  nameOf(requested: string): string;
  /** Globs of the directories of the workspace members, for a manager that supports them. A leading `!` excludes. */
  memberGlobs?(texts: Pick<PackageTexts, 'manifest' | 'settings'>): readonly string[];
  /**
   * The packages of these texts; empty if they cannot be read. `isComplete`: the texts name every package that is
   * installed.
   */
  named(texts: PackageTexts): { readonly packages: readonly NamedPackage[]; readonly isComplete: boolean };
  /** Why the manager cannot run on these texts; null if it can. Checked before a registry is contacted. */
  whyNot(texts: PackageTexts, request: PackageRequest): string | null;
  /**
   * Compares the result with the state before: the sandbox has contacted other hosts, so its report alone is not
   * trusted.
   */
  judge(before: PackageTexts, after: Extract<PackageReport, { kind: 'done' }>, request: PackageRequest): Judgement;
  /**
   * For sources that cannot be built without the manifest of their packages: whether two manifests differ only in their
   * package lists.
   */
  onlyListsChanged?(before: string, after: string): boolean;
  /** Differences of two manifests beside packages, as sentences for people. */
  changedBeside?(before: string, after: string): readonly string[];
}

/** The packages in `now` that are not in `before`, or differ there; each package once. Pure. */
export function unlikeBefore(before: readonly NamedPackage[], now: readonly NamedPackage[]): UnlikePackage[] {
  const idOf = ({ name, version }: NamedPackage): string => `${name}@${version}`;
  const versions = new Set(before.map(idOf));
  const archives = new Set(before.map((each) => `${idOf(each)} ${each.digest ?? ''}`));
  const lists = new Map(before.flatMap(({ name, listed }) => (listed === null ? [] : [[name, listed]])));
  const seen = new Set<string>();
  return now.flatMap((each): UnlikePackage[] => {
    const id = `${idOf(each)} ${each.digest ?? ''}`;
    if (seen.has(id)) return [];
    seen.add(id);
    if (!versions.has(idOf(each))) return [{ ...each, unlike: { kind: 'new' } }];
    if (!archives.has(id)) return [{ ...each, unlike: { kind: 'another-archive' } }];
    const list = lists.get(each.name);
    if (list === undefined || each.listed === null || list === each.listed) return [];
    return [{ ...each, unlike: { kind: 'listed-elsewhere', before: list } }];
  });
}
