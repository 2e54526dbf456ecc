import { z } from 'zod';
import type { SandboxImage } from './sandbox-templates.ts';

/**
 * Package managers whose packages fluffy can add and install, one object each, and what the host, the kernel and the program in the
 * sandbox say to each other about it. What is particular to one is in `src/host/packages`, `src/kernel/packages` and
 * `tool-plugins/package-tool`.
 */
export interface PackageManagerFiles {
  /** At the top of the project. One file may be both. */
  readonly manifest: string;
  readonly lockfile: string;
  /** Where installed packages are: what a layer takes the place of. */
  readonly directory: string;
  /** Files that say that the packages are managed in another way: where one is there, nothing is added or installed. */
  readonly others: readonly string[];
  /** It is the project's only where its lockfile is there. */
  readonly needsLockfile?: boolean;
  /** Further files at the top that decide what is installed and where. They choose no registry, program or hook. */
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

/** Installed packages of one lockfile: `state/layers/<id>`, read-only below every workspace whose lockfile it belongs to. */
export const layerIdSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand('LayerId');
export type LayerId = z.infer<typeof layerIdSchema>;
/** Directories of a layer, each a lower directory of an overlay, the highest first: what is installed, and what hides the user's own. */
export const LAYER_PARTS = ['packages', 'hiding'] as const;

/** A range, an exact version or a tag. No address, path or alias: those lead past the registry. */
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
/** No slash but that of a scope: to npm and pip, others make it an address or a directory. */
export const PLAIN_NAME = /^(?:@[^/]+\/)?[^/]+$/;

export const packageFeatureSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_+.:/?-]*$/, 'the name of a feature');

/** The directory of a package of the project's own that shares the lockfile at its top. It leads nowhere else, as text. */
export const memberDirectorySchema = z
  .string()
  .max(300)
  .regex(/^(?!\.{0,2}(?:\/|$))[^/\0]+(?:\/(?!\.{0,2}(?:\/|$))[^/\0]+)*$/, 'a directory of the project');
/** Manifests of the members of a workspace, by their directories. */
export const memberManifestsSchema = z.record(memberDirectorySchema, z.string());
export type MemberManifests = z.infer<typeof memberManifestsSchema>;
/** Texts of the files that `settings` of a package manager names, by their names, where they are there. */
export const settingFilesSchema = z.record(z.string(), z.string());
export type SettingFiles = z.infer<typeof settingFilesSchema>;

/** `add` changes manifest and lockfile. `install` installs what the lockfile says, and changes neither. */
export const packageRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    name: packageNameSchema,
    version: packageVersionSchema.optional(),
    dev: z.boolean(),
    /** The member of a workspace that gets it, by its directory; absent: the project itself. */
    directory: memberDirectorySchema.optional(),
    /** Parts of it that are built only where they are named, of a manager that has them. */
    features: z.array(packageFeatureSchema).max(20).optional(),
  }),
  z.strictObject({ kind: z.literal('install') }),
]);
export type PackageRequest = z.infer<typeof packageRequestSchema>;

/** What the kernel leaves for the program in the sandbox. It sees no other file of the project. */
export const PACKAGE_JOB_FILE = 'job.json';
export const packageJobSchema = z.strictObject({
  request: packageRequestSchema,
  manifest: z.string(),
  /** null: the project has none yet. */
  lockfile: z.string().nullable(),
  members: memberManifestsSchema.optional(),
  settings: settingFilesSchema.optional(),
  /** As HEAD has it, so that the registry is asked about all that is new; null: HEAD has none. */
  base_lockfile: z.string().nullable(),
  /** For one answer of the registry. */
  fetch_timeout_ms: z.number().int().positive(),
});
export type PackageJob = z.infer<typeof packageJobSchema>;

/**
 * What the host hands the program over the sandbox's secret socket: settings of the user's own configuration, and nothing of the project's. The
 * kernel never sees it.
 */
export const packageGrantSchema = z.strictObject({
  manager: packageManagerSchema,
  /** The package manager's own program, as the sandbox sees it; null: the sandbox takes one of `programs`, or fetches it from the registry. */
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

/** What a registry says of a package; for people to decide by. */
export const registryFactsSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  published_ms: z.number().nullable(),
  maintainers: z.number().int().nonnegative().nullable(),
  licence: z.string().max(200).nullable(),
  /** What its authors say to those who still use it. */
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

/** What the program leaves behind, beside the installed packages. It is read by the kernel as the word of a stranger. */
export const PACKAGE_REPORT_FILE = 'report.json';
export const PACKAGE_TREE = 'project';
export const packageReportSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('done'),
    manifest: z.string(),
    lockfile: z.string(),
    members: memberManifestsSchema.optional(),
    /** How many packages there are now, where the lockfile does not say it. */
    installed: z.number().int().nonnegative().optional(),
    facts: z.array(registryFactsSchema).max(100),
    scripts_run: z.array(z.string()).max(100),
    /** Packages with code that would have run by itself, of those that no lockfile names. */
    scripts_skipped: z.array(z.string()).max(100).default([]),
  }),
  z.strictObject({ kind: z.literal('failed'), failure: z.enum(PACKAGE_FAILURES), message: z.string().max(4_000) }),
]);
export type PackageReport = z.infer<typeof packageReportSchema>;

/** One connection that a sandbox asked the egress gate for, as the gate saw it. */
export const egressAttemptSchema = z.strictObject({
  target: z.string().max(300),
  outcome: z.enum(['allowed', 'refused', 'unreachable']),
  /** Of one that was not allowed. */
  reason: z.string().max(300).optional(),
  /** How many in a row were alike. */
  count: z.number().int().positive(),
});
export const egressAnswerSchema = z.strictObject({ attempts: z.array(egressAttemptSchema) });
export type EgressAttempt = z.infer<typeof egressAttemptSchema>;
