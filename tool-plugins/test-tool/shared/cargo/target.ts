import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { CargoPackage, CargoProject } from './build.ts';

/**
 * A directory of its own for what is built, so that nothing old of the project's packages counts. What the user's own builds left of other packages is
 * linked into it: dependencies are not compiled again.
 */
export function targetDirectory({ root, packages }: CargoProject): string {
  const usual = join(root, 'target');
  mkdirSync(usual, { recursive: true });
  const own = mkdtempSync(join(usual, 'run-'));
  const members = new RegExp(`^(?:lib)?(?:${packages.flatMap(namesOf).join('|')})-[0-9a-f]{16}`);
  for (const profile of ['debug', 'release']) {
    for (const part of ['deps', 'build', '.fingerprint']) {
      const from = join(usual, profile, part);
      if (!existsSync(from)) continue;
      mkdirSync(join(own, profile, part), { recursive: true });
      for (const name of readdirSync(from))
        if (!members.test(name)) linkTree(join(from, name), join(own, profile, part, name));
    }
  }
  return own;
}

/** Directories are made, files are links: cargo writes beside what is there, and not into it. */
function linkTree(from: string, to: string): void {
  if (!lstatSync(from).isDirectory()) return symlinkSync(from, to);
  mkdirSync(to);
  for (const name of readdirSync(from)) linkTree(join(from, name), join(to, name));
}

function namesOf({ name, targets }: CargoPackage): string[] {
  const all = [name, ...targets.map((target) => target.name)];
  return [...new Set(all.flatMap((each) => [each, each.replaceAll('-', '_')]))];
}
