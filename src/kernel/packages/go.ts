import { newModules, readGoSum } from '../../lib/packages/go-sum.ts';
import type { SummedModule } from '../../lib/packages/go-sum.ts';
import { readGoMod } from '../../lib/packages/go-mod.ts';
import type { GoMod } from '../../lib/packages/go-mod.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { refused } from './manager.ts';
import type { PackageManager } from './manager.ts';

/** The first part of a path is a host; packages of Go itself have no host. */
const PATH = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/;
const VERSION = /^(?:latest|upgrade|patch|(?:[<>]=?)?v\d+(?:\.\d+){0,2}(?:[-+][0-9A-Za-z.+-]+)?)$/;
const NAMED = { max: 5, separator: ', ' } as const;

/** go.sum is the lockfile: Go accepts only content with a checksum in it, wherever go.mod leads. */
export const go: PackageManager = {
  name: 'go',
  outOfStep:
    'Call deps.add of the module that is missing, with its version: it writes both. Or ask the user to run go mod tidy.',

  nameOf: (requested) => requested,

  named: ({ manifest, lockfile }) => {
    const mod = readGoMod(manifest);
    return {
      packages: modulesOf(lockfile).map(({ path, version, digest }) => ({
        name: path,
        version,
        hasInstallScript: false,
        listed: mod.kind === 'mod' && lists(mod.mod, path, version) ? 'go.mod' : null,
        digest,
      })),
      isComplete: lockfile !== null,
    };
  },

  whyNot: ({ manifest, lockfile }, request) => {
    const read = readGoMod(manifest);
    if (read.kind === 'unreadable') return `go.mod cannot be read: ${read.why}. Correct it first.`;
    const { toDirectories, requires } = read.mod;
    if (toDirectories.length > 0) {
      const command = request.kind === 'add' ? `go get ${request.name}` : 'go mod download';
      return `go.mod replaces ${listFirst(toDirectories, NAMED)} with a directory, which the package manager does not see. Ask the user to run ${command}, and go on then.`;
    }
    const sums = readGoSum(lockfile ?? '');
    if (sums.kind === 'unreadable') return `go.sum cannot be read: ${sums.why}. Ask the user to run go mod tidy.`;
    if (request.kind === 'install') {
      if (sums.modules.length > 0) return null;
      return requires.size === 0
        ? 'go.mod requires no module: there is nothing to install.'
        : 'go.sum names no module, so it is not known what to install. Ask the user to run go mod tidy, or call deps.add.';
    }
    if (!PATH.test(request.name))
      return `${request.name} is not a module or package path that can be added. A path begins with a host, for example example.com/name. Packages of Go itself need no module.`;
    if (request.dev) return 'go.mod has no section for development. Call deps.add without dev.';
    return request.version === undefined || VERSION.test(request.version)
      ? null
      : `${request.version} is not a valid version for Go. Use for example v1.2.3, v1 or >=v1.2.0.`;
  },

  judge: (before, after, request) => {
    const sums = readGoSum(after.lockfile);
    if (sums.kind === 'unreadable') return refused(`go.sum cannot be read: ${sums.why}`);
    const added = newModules(modulesOf(before.lockfile), sums.modules);
    let name: string | undefined;
    switch (request.kind) {
      case 'install':
        if (after.lockfile !== before.lockfile || after.manifest !== before.manifest)
          return refused('Go changed go.mod or go.sum although it should only install their content');
        break;
      case 'add': {
        const [old, now] = [readGoMod(before.manifest), readGoMod(after.manifest)];
        if (old.kind === 'unreadable' || now.kind === 'unreadable') return refused('go.mod cannot be read');
        name = moduleOf(now.mod, request.name);
        if (name === undefined) return refused(`go.mod has no ${request.name}`);
        const version = now.mod.requires.get(name)?.version;
        if (!sums.modules.some((each) => each.path === name && each.version === version))
          return refused(`go.sum has no digest of ${name} ${version ?? ''}`);
        const why = whyBeyond(old.mod, now.mod, name) ?? whyLost(before.lockfile, sums.lines);
        if (why !== null) return refused(why);
      }
    }
    return {
      kind: 'good',
      ...(name === undefined ? {} : { name }),
      // Go runs no code of a module at installation.
      added: added.map(({ path, version }) => ({ name: path, version, hasInstallScript: false })),
      installed: sums.modules.length,
      withScripts: [],
    };
  },

  onlyListsChanged: (before, after) => {
    const [old, now] = [readGoMod(before), readGoMod(after)];
    if (old.kind === 'unreadable' || now.kind === 'unreadable') return false;
    const isSame = old.mod.go === now.mod.go && old.mod.toolchain === now.mod.toolchain;
    return isSame && sameRest(old.mod, now.mod);
  },

  changedBeside: (before, after) => {
    const [old, now] = [readGoMod(before), readGoMod(after)];
    if (old.kind === 'unreadable' || now.kind === 'unreadable') return [];
    return [...wordsFor('go', old.mod.go, now.mod.go), ...wordsFor('toolchain', old.mod.toolchain, now.mod.toolchain)];
  },
};

function modulesOf(lockfile: string | null): readonly SummedModule[] {
  const sums = readGoSum(lockfile ?? '');
  return sums.kind === 'sums' ? sums.modules : [];
}

function lists({ requires }: GoMod, path: string, version: string): boolean {
  const required = requires.get(path);
  return required?.version === version && !required.isIndirect;
}

/** The module that contains a package path: the longest required module path that matches. */
function moduleOf({ requires }: GoMod, path: string): string | undefined {
  return [...requires.keys()]
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/**
 * What changed in go.mod beyond the requested module, the modules that it needs, and a Go version that is new enough
 * for them; null if nothing did.
 */
function whyBeyond(before: GoMod, after: GoMod, name: string): string | null {
  const beyond = `go.mod was changed beyond the dependency ${name}`;
  if (!sameRest(before, after)) return beyond;
  // Go removes a line that its own version makes superfluous. A new toolchain line would make it download another Go.
  if (after.toolchain !== null && after.toolchain !== before.toolchain)
    return `${beyond}: it has the line toolchain ${after.toolchain}`;
  if (before.go !== after.go && !isLater(after.go, before.go)) return `${beyond}: its Go is no later one`;
  for (const [path, { isIndirect }] of before.requires)
    if (!isIndirect && !after.requires.has(path)) return `${beyond}: ${path} is gone`;
  for (const [path, { isIndirect }] of after.requires)
    if (path !== name && !isIndirect && before.requires.get(path)?.isIndirect !== false)
      return `${beyond}: it lists ${path}`;
  return null;
}

function sameRest(one: GoMod, other: GoMod): boolean {
  const excluded = ({ excludes }: GoMod): string => [...excludes].toSorted().join('\n');
  return one.rest.join('\n') === other.rest.join('\n') && excluded(one) === excluded(other);
}

function wordsFor(directive: string, before: string | null, after: string | null): string[] {
  if (before === after) return [];
  if (after === null) return [`go.mod loses its line ${directive} ${before ?? ''}.`];
  return [
    before === null
      ? `go.mod gets the line ${directive} ${after}.`
      : `go.mod changes ${directive} from ${before} to ${after}.`,
  ];
}

function isLater(version: string | null, than: string | null): boolean {
  const [a, b] = [version, than].map((each) => (each ?? '0').split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Every checksum of the old go.sum must still be in the new one. */
function whyLost(before: string | null, lines: readonly string[]): string | null {
  const old = readGoSum(before ?? '');
  const lost = old.kind === 'sums' ? old.lines.find((line) => !lines.includes(line)) : undefined;
  return lost === undefined ? null : `go.sum has lost the line ${JSON.stringify(lost)}`;
}
