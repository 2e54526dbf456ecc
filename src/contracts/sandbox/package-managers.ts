import { z } from 'zod';
import type { SandboxImage } from './sandbox-templates.ts';

/**
 * Package managers that fluffy can use to add and install packages, one object each, and the messages about them between the host, the kernel and the
 * program in the sandbox. Code for a single one is in `src/host/packages`, `src/kernel/packages` and `tool-plugins/package-tool`.
 */
export interface PackageManagerFiles {
  /** In the project root. One file may be both. */
  readonly manifest: string;
  readonly lockfile: string;
  /** The directory of installed packages, which a layer replaces. */
  readonly directory: string;
  /** Files that show that the packages are managed in another way: if one exists, nothing is added or installed. */
  readonly others: readonly string[];
  /** The manager counts as the project's only if its lockfile exists. */
  readonly needsLockfile?: boolean;
  /** Further files in the project root that decide what is installed and where. They can choose no registry, program or hook. */
  readonly settings?: readonly string[];
  /** Where it runs: the image in which the packages are used. */
  readonly image: SandboxImage;
  /** Programs of that image that links among the installed packages may lead to. */
  readonly programs: readonly string[];
}

export const PACKAGE_MANAGERS = {
  npm: {
    manifest: 'package.json',
    lockfile: 'package-lock.json',
    directory: 'node_modules',
    others: ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'npm-shrinkwrap.json'],
    image: 'node',
    programs: [],
  },
  pnpm: {
    manifest: 'package.json',
    lockfile: 'pnpm-lock.yaml',
    directory: 'node_modules',
    others: ['package-lock.json', 'yarn.lock', 'bun.lock', 'bun.lockb', 'npm-shrinkwrap.json'],
    needsLockfile: true,
    settings: ['pnpm-workspace.yaml', '.npmrc'],
    image: 'node',
    programs: [],
  },
  yarn: {
    manifest: 'package.json',
    lockfile: 'yarn.lock',
    directory: 'node_modules',
    others: ['package-lock.json', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'npm-shrinkwrap.json'],
    needsLockfile: true,
    image: 'node',
    programs: [],
  },
  pip: {
    manifest: 'requirements.txt',
    lockfile: 'requirements.txt',
    directory: '.venv',
    others: ['uv.lock', 'pylock.toml', 'poetry.lock', 'pdm.lock', 'Pipfile.lock'],
    image: 'python',
    programs: ['/usr/bin/python3'],
  },
  pyproject: {
    manifest: 'pyproject.toml',
    lockfile: 'pyproject.toml',
    directory: '.venv',
    others: ['requirements.txt', 'uv.lock', 'pylock.toml', 'poetry.lock', 'pdm.lock', 'Pipfile.lock'],
    image: 'python',
    programs: ['/usr/bin/python3'],
  },
  uv: {
    manifest: 'pyproject.toml',
    lockfile: 'uv.lock',
    directory: '.venv',
    others: [],
    needsLockfile: true,
    image: 'python',
    programs: ['/usr/bin/python3'],
  },
  pdm: {
    manifest: 'pyproject.toml',
    lockfile: 'pdm.lock',
    directory: '.venv',
    others: ['uv.lock', 'poetry.lock'],
    needsLockfile: true,
    image: 'python',
    programs: ['/usr/bin/python3'],
  },
  pylock: {
    manifest: 'pyproject.toml',
    lockfile: 'pylock.toml',
    directory: '.venv',
    others: ['uv.lock'],
    needsLockfile: true,
    image: 'python',
    programs: ['/usr/bin/python3'],
  },
  cargo: {
    manifest: 'Cargo.toml',
    lockfile: 'Cargo.lock',
    directory: '.crates',
    others: [],
    image: 'node',
    programs: [],
  },
  go: {
    manifest: 'go.mod',
    lockfile: 'go.sum',
    directory: '.gomodcache',
    others: ['go.work', 'vendor/modules.txt'],
    image: 'node',
    programs: [],
  },
} as const satisfies Readonly<Record<string, PackageManagerFiles>>;

export type PackageManagerName = keyof typeof PACKAGE_MANAGERS;
export const PACKAGE_MANAGER_NAMES = Object.keys(PACKAGE_MANAGERS) as [PackageManagerName, ...PackageManagerName[]];
export const packageManagerSchema = z.enum(PACKAGE_MANAGER_NAMES);

/** Installed packages of one lockfile: `state/layers/<id>`, read-only below every workspace with that lockfile. */
export const layerIdSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand('LayerId');
export type LayerId = z.infer<typeof layerIdSchema>;
/**
 * Directories of a layer, each a lower directory of an overlay, highest first: the installed packages, and the whiteouts that hide the user's own.
 */
export const LAYER_PARTS = ['packages', 'hiding'] as const;

/** A range, an exact version or a tag. An address, path or alias is not allowed, because it bypasses the registry. */
export const packageVersionSchema = z
  .string()
  .max(100)
  .regex(/^[0-9A-Za-z.,^~<>=!|*+ -]+$/, 'a version, a range or a tag; packages come only from the registry');
export const packageNameSchema = z
  .string()
  .max(214)
  .regex(
    /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[A-Za-z0-9][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/,
    'the name of a package in the registry',
  );
/** No slash except in a scope: npm and pip read other slashes as an address or a directory. */
export const PLAIN_NAME = /^(?:@[^/]+\/)?[^/]+$/;

export const packageFeatureSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_+.:/?-]*$/, 'the name of a feature');

/** The directory of one of the project's own packages that shares the lockfile in the project root. Its text cannot lead elsewhere. */
export const memberDirectorySchema = z
  .string()
  .max(300)
  .regex(/^(?!\.{0,2}(?:\/|$))[^/\0]+(?:\/(?!\.{0,2}(?:\/|$))[^/\0]+)*$/, 'a directory of the project');
/** Manifests of the members of a workspace, by directory. */
export const memberManifestsSchema = z.record(memberDirectorySchema, z.string());
export type MemberManifests = z.infer<typeof memberManifestsSchema>;
/** Texts of the existing files that `settings` of a package manager names, by name. */
export const settingFilesSchema = z.record(z.string(), z.string());
export type SettingFiles = z.infer<typeof settingFilesSchema>;

/** `add` changes manifest and lockfile. `install` installs what the lockfile lists, and changes neither. */
export const packageRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    name: packageNameSchema,
    version: packageVersionSchema.optional(),
    dev: z.boolean(),
    /** The directory of the workspace member that gets it; absent: the project itself. */
    directory: memberDirectorySchema.optional(),
    /** Optional features to build, for a manager that supports them. */
    features: z.array(packageFeatureSchema).max(20).optional(),
  }),
  z.strictObject({ kind: z.literal('install') }),
]);
export type PackageRequest = z.infer<typeof packageRequestSchema>;

/** What the kernel leaves for the program in the sandbox. The program sees no other file of the project. */
export const PACKAGE_JOB_FILE = 'job.json';
export const packageJobSchema = z.strictObject({
  request: packageRequestSchema,
  manifest: z.string(),
  /** null: the project has none yet. */
  lockfile: z.string().nullable(),
  members: memberManifestsSchema.optional(),
  settings: settingFilesSchema.optional(),
  /** The program of the project's own Node or Python; absent: that of the image. */
  interpreter: z.string().startsWith('/').optional(),
  /** The lockfile in HEAD, so that the registry is asked about everything new; null: HEAD has none. */
  base_lockfile: z.string().nullable(),
  /** For one answer of the registry. */
  fetch_timeout_ms: z.number().int().positive(),
});
export type PackageJob = z.infer<typeof packageJobSchema>;

/**
 * What the host passes to the program over the sandbox's secret socket: settings of the user's own configuration, and nothing of the project. The
 * kernel never sees it.
 */
export const packageGrantSchema = z.strictObject({
  manager: packageManagerSchema,
  /** The package manager's own program, as the sandbox sees it; null: the sandbox uses one of `programs`, or fetches it from the registry. */
  program: z.string().startsWith('/').nullable(),
  /** Versions of the program that this host has. */
  programs: z.array(z.strictObject({ version: z.string(), path: z.string().startsWith('/') })).default([]),
  registry: z.string(),
  /** Lines for the package manager's configuration file, `key=value`. */
  settings: z.array(z.string()),
  /** Packages whose install scripts may run. */
  install_scripts: z.array(z.string()),
  /** PEM, certificates only. */
  extra_ca: z.array(z.string()),
});
export type PackageGrant = z.infer<typeof packageGrantSchema>;

/** What a registry says about a package, for a person's decision. */
export const registryFactsSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  published_ms: z.number().nullable(),
  maintainers: z.number().int().nonnegative().nullable(),
  licence: z.string().max(200).nullable(),
  /** The authors' message to people who still use it. */
  deprecated: z.string().max(200).optional(),
});
export type RegistryFacts = z.infer<typeof registryFactsSchema>;

export const PACKAGE_FAILURES = [
  'not_found',
  'integrity',
  'unreachable',
  'refused',
  'unsafe_archive',
  'impostor',
  'out_of_step',
  'other',
] as const;
export type PackageFailure = (typeof PACKAGE_FAILURES)[number];

/** What the program leaves beside the installed packages. The kernel does not trust it. */
export const PACKAGE_REPORT_FILE = 'report.json';
/** How many packages were fetched so far, and of how many; 0: not known. For people who wait: no result is read from it. */
export const PACKAGE_COUNT_FILE = 'counts';
export const PACKAGE_TREE = 'project';
export const packageReportSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('done'),
    manifest: z.string(),
    lockfile: z.string(),
    members: memberManifestsSchema.optional(),
    /** Number of packages now, if the lockfile does not tell it. */
    installed: z.number().int().nonnegative().optional(),
    facts: z.array(registryFactsSchema).max(100),
    scripts_run: z.array(z.string()).max(100),
    /** Packages that no lockfile names and whose code would have run at installation. */
    scripts_skipped: z.array(z.string()).max(100).default([]),
  }),
  z.strictObject({ kind: z.literal('failed'), failure: z.enum(PACKAGE_FAILURES), message: z.string().max(4_000) }),
]);
export type PackageReport = z.infer<typeof packageReportSchema>;

/** One connection that a sandbox requested from the egress gate, as the gate saw it. */
export const egressAttemptSchema = z.strictObject({
  target: z.string().max(300),
  outcome: z.enum(['allowed', 'refused', 'unreachable']),
  /** For a connection that was not allowed. */
  reason: z.string().max(300).optional(),
  /** Number of equal connections in a row. */
  count: z.number().int().positive(),
});
export const egressAnswerSchema = z.strictObject({ attempts: z.array(egressAttemptSchema) });
export type EgressAttempt = z.infer<typeof egressAttemptSchema>;
