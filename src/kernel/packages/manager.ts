import type { PackageManagerName, PackageReport, PackageRequest } from '../../contracts/sandbox/package-managers.ts';

/** What manifest and lockfile of a project say before a package manager runs. */
export interface PackageTexts {
  readonly manifest: string;
  /** null: there is none. */
  readonly lockfile: string | null;
}

/** A package in a version that the lockfile did not have. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
  readonly hasInstallScript: boolean;
}

export type Judgement =
  | {
      readonly kind: 'good';
      readonly added: readonly AddedPackage[];
      /** How many packages there are in all. */
      readonly installed: number;
      /** Names of packages with an install script, of all. */
      readonly withScripts: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

/** What the kernel knows of one package manager. All of it is pure. */
export interface PackageManager {
  readonly name: PackageManagerName;
  /** The name of a package as the lockfile has it. */
  nameOf(requested: string): string;
  /** Why it cannot be run on these texts, before anything is asked of a registry; null where it can. */
  whyNot(texts: PackageTexts, request: PackageRequest): string | null;
  /** Compares what came back with what was there: the sandbox has spoken to strangers, and its word alone counts for nothing. */
  judge(before: PackageTexts, after: Extract<PackageReport, { kind: 'done' }>, request: PackageRequest): Judgement;
}
