import { mapIn, readPlainYaml } from './plain-yaml.ts';

/**
 * Settings by which a project may control how its packages are resolved and laid out. They include no registry, program, hook, directory or script.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  'packages',
  'catalog',
  'catalogs',
  'catalogMode',
  'overrides',
  'packageExtensions',
  'peerDependencyRules',
  'ignoredOptionalDependencies',
  'allowedDeprecatedVersions',
  'supportedArchitectures',
  'hoist',
  'hoistPattern',
  'publicHoistPattern',
  'shamefullyHoist',
  'hoistWorkspacePackages',
  'nodeLinker',
  'linkWorkspacePackages',
  'preferWorkspacePackages',
  'saveWorkspaceProtocol',
  'injectWorkspacePackages',
  'autoInstallPeers',
  'strictPeerDependencies',
  'dedupePeerDependents',
  'dedupeDirectDeps',
  'dedupePeers',
  'resolvePeersFromWorkspaceRoot',
  'excludeLinksFromLockfile',
  'peersSuffixMaxLength',
  'resolutionMode',
  'minimumReleaseAge',
  'minimumReleaseAgeExclude',
  'savePrefix',
  'saveExact',
]);

/** The allowed settings of pnpm-workspace.yaml, as JSON, which is also YAML; null if there are none. Pure. */
export function allowedWorkspaceFile(text: string | undefined): string | null {
  const said = readWorkspace(text);
  const kept = Object.entries(said).filter(([key, value]) => isAllowed(key, value));
  return kept.length === 0 ? null : `${JSON.stringify(Object.fromEntries(kept))}\n`;
}

/** The allowed lines of an .npmrc of a project. Pure. */
export function allowedNpmrc(text: string | undefined): string {
  const lines = (text ?? '').split(/\r?\n/).filter((line) => {
    const [, key = '', value = ''] = /^\s*([a-z-]+)(?:\[\])?\s*=\s*([^$]*)$/.exec(line) ?? [];
    return isAllowed(
      key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value.trim(),
    );
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Globs of the members that pnpm-workspace.yaml names. */
export function workspaceGlobs(text: string | undefined): string[] {
  const { packages } = readWorkspace(text);
  return Array.isArray(packages) ? packages.filter((each) => typeof each === 'string') : [];
}

function readWorkspace(text: string | undefined): Readonly<Record<string, unknown>> {
  const read = text === undefined ? null : readPlainYaml(text);
  return read?.kind === 'documents' ? mapIn(read.documents[0]) : {};
}

/** Plug'n'Play needs a loader in every process of the project, so the packages are laid out as directories. */
function isAllowed(key: string, value: unknown): boolean {
  return ALLOWED.has(key) && !(key === 'nodeLinker' && value === 'pnp');
}
