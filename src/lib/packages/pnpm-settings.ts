import { mapIn, readPlainYaml } from './plain-yaml.ts';

/** What a project may say of how its packages are resolved and laid out. No registry, program, hook, directory or script is among them. */
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

/** Pure: pnpm-workspace.yaml with what a project may say; null: there is nothing. JSON, which is YAML. */
export function allowedWorkspaceFile(text: string | undefined): string | null {
  const said = readWorkspace(text);
  const kept = Object.entries(said).filter(([key, value]) => isAllowed(key, value));
  return kept.length === 0 ? null : `${JSON.stringify(Object.fromEntries(kept))}\n`;
}

/** Pure: the lines of an .npmrc that a project may have. */
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

/** Plug'n'Play needs a loader in every process of the project: the packages are laid out as directories instead. */
function isAllowed(key: string, value: unknown): boolean {
  return ALLOWED.has(key) && !(key === 'nodeLinker' && value === 'pnp');
}
