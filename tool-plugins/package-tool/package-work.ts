import type { PackageGrant, PackageJob, PackageReport } from '../../src/contracts/sandbox/package-managers.ts';

/** What a package manager works with in its sandbox. */
export interface PackageWork {
  readonly grant: PackageGrant;
  readonly job: PackageJob;
  /** Empty; what is installed stays in `<out>/project`. */
  readonly out: string;
  /** For what need not outlive the sandbox. */
  readonly temporary: string;
  readonly gatePath: string;
  readonly proxyUrl: string;
  /** Whether a connection that was requested so far did not come about. */
  readonly hasLostConnections: () => boolean;
  /** Gets each line that the package manager prints. */
  readonly onLine: (line: string) => void;
  /** The program's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One package manager, as its sandbox runs it. */
export type PerformPackages = (work: PackageWork) => Promise<PackageReport>;

/** The program of a package manager that is always this host's own. */
export function programOf({ manager, program }: PackageGrant): string {
  if (program === null) throw new Error(`the host handed over no program for ${manager}`);
  return program;
}
