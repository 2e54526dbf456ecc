import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import { readNamedProgram } from '../../lib/packages/named-program.ts';

/** Programs that install the packages of a package.json, with the lockfiles that each writes. */
const PROGRAMS = {
  npm: { lockfiles: ['package-lock.json', 'npm-shrinkwrap.json'], installs: /\bnpm (?:ci|i|install)\b/ },
  pnpm: { lockfiles: ['pnpm-lock.yaml'], installs: /\bpnpm (?:i|install)\b/ },
  yarn: { lockfiles: ['yarn.lock'], installs: /\byarn(?: install\b| --(?:frozen-lockfile|immutable)\b|\s*$)/ },
  bun: { lockfiles: ['bun.lock', 'bun.lockb'], installs: /\bbun (?:i|install)\b/ },
} as const;
type Program = keyof typeof PROGRAMS;
const NAMES = Object.keys(PROGRAMS) as Program[];

export const JAVASCRIPT_LOCKFILES: readonly string[] = NAMES.flatMap((name) => PROGRAMS[name].lockfiles);
/** Files that define what a repository's host runs for each push. A directory represents the files in it. */
export const CI_PLACES = ['.github/workflows', '.gitlab-ci.yml', '.circleci/config.yml', '.travis.yml'] as const;

export type ChosenManager =
  { readonly kind: 'chosen'; readonly name: Program; readonly why: string } | { readonly kind: 'open' };

/**
 * The manager that counts if lockfiles of several programs are beside one package.json: the program that
 * `packageManager` names, or else the only one that the project's CI installs with. `lockfiles`: those that exist.
 * Pure.
 */
export function chooseManager(
  manifest: string,
  lockfiles: readonly string[],
  ciTexts: readonly string[],
): ChosenManager {
  const present = NAMES.filter((name) => PROGRAMS[name].lockfiles.some((each) => lockfiles.includes(each)));
  const named = readNamedProgram(manifest);
  const own = named.kind === 'named' ? present.find((name) => name === named.name) : undefined;
  if (own !== undefined) return { kind: 'chosen', name: own, why: `packageManager in package.json names ${own}` };
  const lines = ciTexts.flatMap((text) => text.split('\n')).filter((line) => !/ (?:-g|--global)\b/.test(line));
  const used = present.filter((name) => lines.some((line) => PROGRAMS[name].installs.test(line)));
  const [only, another] = used;
  return only !== undefined && another === undefined
    ? { kind: 'chosen', name: only, why: `the project's CI installs with ${only}` }
    : { kind: 'open' };
}

/** Whether lockfiles of other managers may be beside this manager's. */
export function isJavascript(name: PackageManagerName): name is PackageManagerName & Program {
  return Object.hasOwn(PROGRAMS, name);
}
