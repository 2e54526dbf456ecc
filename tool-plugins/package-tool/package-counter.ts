import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_COUNT_FILE } from '../../src/contracts/sandbox/package-managers.ts';
import type { PackageJob, PackageManagerName } from '../../src/contracts/sandbox/package-managers.ts';
import { readNpmLock } from '../../src/lib/packages/npm-lock.ts';

const PIP = /^\s*(?:Downloading|Using cached) (\S+)/;
/** The line by which a package manager says that it has fetched a package, or how many; null: it says neither. */
const FETCHED: Readonly<Record<PackageManagerName, RegExp | null>> = {
  npm: /^npm http fetch GET 200 (\S+\.tgz)\b/,
  pnpm: /^Progress: .*\bdownloaded (\d+)/,
  yarn: null,
  pip: PIP,
  pyproject: PIP,
  uv: PIP,
  pdm: PIP,
  pylock: PIP,
  cargo: /^\s*Downloaded (\S+ v\S+)/,
  go: /^go: downloading (\S+ \S+)/,
};

/** Gets each line that a package manager prints, and keeps in a file how many packages it has fetched. */
export function packageCounter(manager: PackageManagerName, job: PackageJob, out: string): (line: string) => void {
  const fetched = FETCHED[manager];
  if (fetched === null) return () => undefined;
  const total = totalOf(manager, job);
  const names = new Set<string>();
  return (line) => {
    const name = fetched.exec(line)?.[1];
    if (name === undefined || names.has(name)) return;
    names.add(name);
    const done = /^\d+$/.test(name) ? Number(name) : names.size;
    if (done > 0) writeFileSync(join(out, PACKAGE_COUNT_FILE), `${done} ${total}\n`);
  };
}

/** Known where npm installs exactly what the lockfile has. */
function totalOf(manager: PackageManagerName, { request, lockfile }: PackageJob): number {
  if (manager !== 'npm' || request.kind !== 'install' || lockfile === null) return 0;
  const read = readNpmLock(lockfile);
  return read.kind === 'lock' ? read.packages.filter(({ isLink, isBundled }) => !isLink && !isBundled).length : 0;
}
