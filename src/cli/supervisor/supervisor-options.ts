import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { resourceLimitsSchema } from '../../contracts/kernel-options.ts';
import { imageChoiceSchema } from '../../host/images/project/project-image.ts';
import { providerNameSchema, userProvidersSchema } from '../../contracts/model/provider-config.ts';
import { providerVariables } from '../../contracts/model/providers.ts';
import { serviceNameSchema } from '../../contracts/sandbox/test-network.ts';
import { serviceSchema } from '../../host/test-network/service.ts';

/** The user's own configuration of the host's side of a project. Never from the project's files. */
export const hostSettingsSchema = z.strictObject({
  providers: userProvidersSchema,
  /** `--base-url` of the run that started it, by provider: other paths on the providers' own hosts and ports. */
  base_urls: z.record(providerNameSchema, z.string().max(2_000)).optional(),
  /** Read-only directories outside the project that its tests may see, real absolute paths. */
  dependency_mounts: z.array(z.string().startsWith('/')),
  /** Names of network groups for `integration-test`, and the `host:port` rules of each. */
  network_groups: z.record(z.string(), z.array(z.string())),
  /** Services of this project's tests; absent: none. */
  services: z.record(serviceNameSchema, serviceSchema).optional(),
  /** The groups of `network_groups` that can be allowed for tests of this project. */
  test_groups: z.array(z.string()).optional(),
  /** Variables for the tests of this project, in addition to its services. */
  test_variables: z.record(z.string(), z.string()).optional(),
  /** Packages whose install scripts may run. */
  install_scripts: z.array(z.string()),
  /** Registries may have addresses that a local DNS returns in place of the real ones. */
  reserved_addresses: z.boolean().optional(),
  /** Limits of the templates that accept the user's; absent: those of the table. */
  sandbox_limits: resourceLimitsSchema.optional(),
  /** The image in which project code runs; absent: fluffy's own. */
  image: imageChoiceSchema.optional(),
  kernel_memory_bytes: z.number().int().positive().optional(),
});
export type HostSettings = z.infer<typeof hostSettingsSchema>;

export const DEFAULT_HOST_SETTINGS: HostSettings = {
  providers: {},
  dependency_mounts: [],
  network_groups: {},
  install_scripts: [],
};

/** The only argument of the supervisor's process, as JSON. */
export const supervisorOptionsSchema = z.strictObject({
  project_root: z.string().startsWith('/'),
  project_id: z.string().regex(/^[0-9a-f]{16}$/),
  uid: z.number().int().nonnegative(),
  gid: z.number().int().nonnegative(),
  repo_root: z.string().startsWith('/'),
  settings: hostSettingsSchema,
  /** See `settingsDigest`. */
  settings_digest: z.string(),
  /** See `settingsParts`. */
  settings_parts: z.record(z.string(), z.string()),
  /** See `toolchainStamp`. */
  toolchain_stamp: z.string(),
  idle_ms: z.number().int().positive(),
});
export type SupervisorOptions = z.infer<typeof supervisorOptionsSchema>;

/** Variables that affect the host's side, in addition to the configuration. */
const VARIABLES = [
  'HOME',
  'XDG_CONFIG_HOME',
  'DOCKER_HOST',
  ...providerVariables(),
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/**
 * Variables of package managers that name a registry, or that change what an installation writes. `npm run` sets others, which have no effect here.
 */
const PACKAGE_VARIABLE =
  /^(?:npm_config_(?:.*[:_-]registry|registry|userconfig|cafile|omit[_-]lockfile[_-]registry[_-]resolved|lockfile[_-]version|save[_-](?:exact|prefix)|legacy[_-]peer[_-]deps)|PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|CERT|CONFIG_FILE))$/i;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A digest that differs for another program version, configuration, endpoint or key. A running supervisor keeps the settings with which it was
 * started, and must not serve a client with different ones. Pure.
 */
export function settingsDigest(version: string, settings: HostSettings, env: Environment): string {
  return hashOf(partsOf(version, settings, env));
}

const PART_LENGTH = 8;

/**
 * The parts of the digest, by the name that a person knows: a part of each hash, long enough to show a difference and too short to find a key from
 * it. Pure.
 */
export function settingsParts(version: string, settings: HostSettings, env: Environment): Record<string, string> {
  const parts = partsOf(version, settings, env);
  return Object.fromEntries(parts.map(([name, value]) => [name, hashOf(value).slice(0, PART_LENGTH)]));
}

/** Names of the parts that differ. Pure. */
export function differingParts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}

function partsOf(version: string, settings: HostSettings, env: Environment): readonly (readonly [string, unknown])[] {
  return [
    ['the version of fluffy', version],
    ...Object.entries(settings).map(([name, value]) => [`${name} in config.yaml`, value] as const),
    ...variablesOf(settings, env).map((name) => [`$${name}`, env[name] ?? null] as const),
  ];
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function variablesOf({ providers }: HostSettings, env: Environment): readonly string[] {
  const referenced = Object.values(providers).flatMap(({ api_key_ref: ref }) =>
    ref?.startsWith('env:') === true ? [ref.slice('env:'.length)] : [],
  );
  const ofPackages = Object.keys(env).filter(
    (name) => PACKAGE_VARIABLE.test(name) && env[name] !== join(env['HOME'] ?? '', '.npmrc'),
  );
  return [...VARIABLES, ...referenced.sort(), ...ofPackages.sort()];
}
