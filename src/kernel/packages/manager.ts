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
  /** Of packages of the project's own that share the lockfile; absent: there are none. */
  readonly members?: MemberManifests | undefined;
  /** Further files that decide what is installed and where. */
  readonly settings?: SettingFiles | undefined;
}

/** A package in a version that the lockfile did not have. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
  readonly hasInstallScript: boolean;
}

/** A package that manifest or lockfile names. */
export interface NamedPackage extends AddedPackage {
  /** Where the manifest lists it; null: it came with another. */
  readonly listed: string | null;
  /** Of its archive, or of all of its archives. */
  readonly digest: string | null;
}

/** How a package is not as it was before. */
export interface UnlikePackage extends NamedPackage {
  readonly unlike:
    | { readonly kind: 'new' }
    /** The same name and version stand for other content. */
    | { readonly kind: 'another-archive' }
    | { readonly kind: 'listed-elsewhere'; readonly before: string };
}

export type Judgement =
  | {
      readonly kind: 'good';
      /** The requested package as the registry names it, where that can differ from the request. */
      readonly name?: string;
      readonly added: readonly AddedPackage[];
      /** How many packages there are in all. */
      readonly installed: number;
      /** Names of packages with an install script, of all. */
      readonly withScripts: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

export function refused(why: string): Judgement {
  return { kind: 'refused', why };
}

/** What the kernel knows of one package manager. All of it is pure. */
export interface PackageManager {
  readonly name: PackageManagerName;
  /** What installs, and whose configuration names the registry; absent: what the manager is called. */
  readonly program?: string;
  /** What leads on where manifest and lockfile do not agree. */
  readonly outOfStep: string;
  /** The name of a package as the lockfile has it. */
  nameOf(requested: string): string;
  /** Globs of the directories of its members, of a manager that has such; one with `!` before it takes away. */
  memberGlobs?(texts: Pick<PackageTexts, 'manifest' | 'settings'>): readonly string[];
  /** The packages of these texts; none where they cannot be read. `isComplete`: whatever is installed is named. */
  named(texts: PackageTexts): { readonly packages: readonly NamedPackage[]; readonly isComplete: boolean };
  /** Why it cannot be run on these texts, before anything is asked of a registry; null where it can. */
  whyNot(texts: PackageTexts, request: PackageRequest): string | null;
  /** Compares what came back with what was there: the sandbox has spoken to strangers, and its word alone counts for nothing. */
  judge(before: PackageTexts, after: Extract<PackageReport, { kind: 'done' }>, request: PackageRequest): Judgement;
  /** Where sources cannot be built without the manifest that lists what they use: whether two of them differ in nothing but such lists. */
  onlyListsChanged?(before: string, after: string): boolean;
  /** What two manifests say differently beside packages, in sentences for humans. */
  changedBeside?(before: string, after: string): readonly string[];
}

/** Pure: what `now` names and `before` does not, or not like this; each package once. */
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
