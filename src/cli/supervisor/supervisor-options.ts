import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { resourceLimitsSchema } from '../../contracts/kernel-options.ts';
import { imageChoiceSchema } from '../../host/images/project-image.ts';
import { providerNameSchema, userProvidersSchema } from '../../contracts/model/provider-config.ts';
import { providerVariables } from '../../contracts/model/providers.ts';
import { serviceNameSchema } from '../../contracts/sandbox/test-network.ts';
import { serviceSchema } from '../../host/test-network/service.ts';

/** What the user's own configuration says about the host's side of a project. Never from the project's files. */
export const hostSettingsSchema = z.strictObject({
  providers: userProvidersSchema,
  /** `--base-url` of the run that started it, by provider: other paths on hosts and ports that those have anyway. */
  base_urls: z.record(providerNameSchema, z.string().max(2_000)).optional(),
  /** Read-only directories outside the project that its tests may see, real absolute paths. */
  dependency_mounts: z.array(z.string().startsWith('/')),
  /** Names of network groups for `integration-test`, and the `host:port` rules of each. */
  network_groups: z.record(z.string(), z.array(z.string())),
  /** Services of this project's tests; absent: none. */
  services: z.record(serviceNameSchema, serviceSchema).optional(),
  /** Of `network_groups`, those that tests of this project may be allowed. */
  test_groups: z.array(z.string()).optional(),
  /** Variables that tests of this project get beside their services. */
  test_variables: z.record(z.string(), z.string()).optional(),
  /** Packages whose install scripts may run. */
  install_scripts: z.array(z.string()),
  /** Registries may be at addresses that a local DNS gives in place of the real ones. */
  reserved_addresses: z.boolean().optional(),
  /** Limits of the templates that take the user's; absent: those of the table. */
  sandbox_limits: resourceLimitsSchema.optional(),
  /** The image in which code of the project runs; absent: those of fluffy's own. */
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

/** The one argument of the supervisor's process, as JSON. */
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

/** Variables that decide what the host's side does, beside the configuration. */
const VARIABLES = [
  'HOME',
  'XDG_CONFIG_HOME',
  'DOCKER_HOST',
  ...providerVariables(),
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** Those of package managers that name a registry, or change what an installation writes. `npm run` sets others, which mean nothing here. */
const PACKAGE_VARIABLE =
  /^(?:npm_config_(?:.*[:_-]registry|registry|userconfig|cafile|omit[_-]lockfile[_-]registry[_-]resolved|lockfile[_-]version|save[_-](?:exact|prefix)|legacy[_-]peer[_-]deps)|PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|CERT|CONFIG_FILE))$/i;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tells two ways of running the host's side apart: another program version, another configuration, another endpoint or key. A
 * running supervisor has the settings it was started with, and must not serve someone who means different ones. Pure.
 */
export function settingsDigest(version: string, settings: HostSettings, env: Environment): string {
  return hashOf(partsOf(version, settings, env));
}

const PART_LENGTH = 8;

/** The parts of the digest, by the name that a person knows each by: so much of a hash of each that another value shows, and no key can be found from it. Pure. */
export function settingsParts(version: string, settings: HostSettings, env: Environment): Record<string, string> {
  const parts = partsOf(version, settings, env);
  return Object.fromEntries(parts.map(([name, value]) => [name, hashOf(value).slice(0, PART_LENGTH)]));
}

/** Names of the parts that are not the same. Pure. */
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
