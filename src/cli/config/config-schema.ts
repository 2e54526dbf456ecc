import { z } from 'zod';
import { RUNNER_NAMES } from '../../kernel/runners/registry.ts';
import { userProvidersSchema } from '../../contracts/model/provider-config.ts';
import { packageNameSchema } from '../../contracts/sandbox/package-managers.ts';
import { parseDuration } from '../../lib/text/duration.ts';
import { keysSchema } from './keys-schema.ts';
import { LINK_SETTINGS } from '../output/link-setting.ts';
import { NOTICE_SETTINGS } from '../interactive/screen/notice-setting.ts';
import { THEME_NAMES } from '../../tui/text/theme.ts';
import { EFFORTS, modelOverrideSchema } from '../../contracts/model/model-facts.ts';
import { imageIdSchema, imageReferenceSchema } from '../../host/images/project/project-image.ts';
import { serviceNameSchema } from '../../contracts/sandbox/test-network.ts';
import { serviceSchema } from '../../host/test-network/service.ts';
import { networkFaults } from './test-network.ts';
import { parseByteSize } from '../../lib/text/byte-size.ts';

const size = z.union([z.string(), z.number()]).transform((value, context) => {
  const parsed = parseByteSize(value);
  if (parsed.kind === 'ok') return parsed.bytes;
  context.addIssue({ code: 'custom', message: parsed.problem });
  return z.NEVER;
});

const duration = z.string().transform((value, context) => {
  const parsed = parseDuration(value);
  if (parsed.kind === 'ok') return parsed.ms;
  context.addIssue({ code: 'custom', message: parsed.problem });
  return z.NEVER;
});

const test = z.strictObject({
  runner: z.enum(RUNNER_NAMES),
  cwd: z.string().default(''),
  args: z.array(z.string()).default([]),
  report: z.enum(['junit', 'tap']).optional(),
});

const testCommandOfUser = z.strictObject({
  project: z.string().startsWith('/', 'an absolute path'),
  command: z.array(z.string()).min(1),
  cwd: z.string().default(''),
  report: z.enum(['junit', 'tap']).optional(),
  report_file: z.string().optional(),
  files: z.array(z.string()).min(1).optional(),
});

const networkOfUser = z.strictObject({
  project: z.string().startsWith('/', 'an absolute path'),
  /** Names of `network_groups`. */
  groups: z.array(z.string()).default([]),
  services: z.array(serviceNameSchema).default([]),
  variables: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable'), z.string()).default({}),
});

const imageOfUser = z.strictObject({
  project: z.string().startsWith('/', 'an absolute path'),
  image: imageReferenceSchema,
  id: imageIdSchema,
});

const model = z.string().regex(/^[^/\s]+\/\S/, 'expected provider/model, for example anthropic/claude-sonnet-4-5');

const ROLES: readonly string[] = ['main', 'small', 'fallback'];

/** USD per million tokens. */
const price = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative().default(0),
});

/** Models by role, and facts about single models under names with a slash. */
const models = z
  .object({ main: model.optional(), small: model.optional(), fallback: z.array(model).max(5).optional() })
  .catchall(modelOverrideSchema)
  .superRefine((value, context) => {
    for (const key of Object.keys(value)) {
      if (ROLES.includes(key) || model.safeParse(key).success) continue;
      context.addIssue({ code: 'unrecognized_keys', keys: [key], input: value });
    }
  });

/** `.fluffy/config.yaml`: what a project may configure. No key of it affects the host, an API key, an endpoint, an image or the mode. */
export const projectConfigSchema = z.strictObject({
  model: model.optional(),
  test: test.optional(),
});

/** Replaces a default. */
const noLimit = z.literal('none');

const sums = z.strictObject({ cost: z.number().positive().optional(), tokens: z.number().int().positive().optional() });

/** `$XDG_CONFIG_HOME/fluffy/config.yaml`: the user's. */
const userConfigKeys = z.strictObject({
  model: model.optional(),
  mode: z.enum(['strict', 'explore', 'debug']).optional(),
  /** A sandbox is ended after six hours in any case; a report is held in the kernel's memory. */
  test: z
    .strictObject({
      timeout: duration
        .pipe(
          z
            .number()
            .min(1000, 'at least 1s')
            .max(5 * 3_600_000, 'at most 5h'),
        )
        .optional(),
      /** Lint, type and format checks that are found in the project. */
      checks: z.enum(['found', 'none']).optional(),
      /** The user's own commands, each for one project on this machine. The first for a project counts. */
      commands: z.array(testCommandOfUser).optional(),
      /** Services and hosts for the tests of single projects on this machine. The first for a project counts. */
      networks: z.array(networkOfUser).optional(),
      max_report: size.pipe(z.number().max(128 * 1024 ** 2, 'at most 128MiB')).optional(),
    })
    .optional(),
  /** For each run, if the command line does not say. */
  limits: z
    .strictObject({
      turns: noLimit.or(z.number().int().positive()).optional(),
      tokens: noLimit.or(z.number().int().positive()).optional(),
      cost: z.number().positive().optional(),
      /** For one session, a day and a project: all runs together. */
      session: sums.optional(),
      day: sums.optional(),
      project: sums.optional(),
      duration: noLimit.or(duration.pipe(z.number().min(1000, 'at least 1s'))).optional(),
    })
    .default({}),
  theme: z.enum(THEME_NAMES).optional(),
  /** `reduced`: no animation, and times advance in steps of a second. */
  motion: z.enum(['full', 'reduced']).optional(),
  /** A tip at the start. */
  tips: z.enum(['on', 'off']).optional(),
  /** Of a waiting review and of the end of a long run. */
  notices: z.enum(NOTICE_SETTINGS).optional(),
  /** Files and addresses that can be clicked. */
  links: z.enum(LINK_SETTINGS).optional(),
  keys: keysSchema.optional(),
  providers: userProvidersSchema.default({}),
  prices: z.record(z.string(), price).default({}),
  /** Models by role, and facts about models that are missing or wrong in the catalogue. */
  models: models.default({}),
  /** How much models should think, if they offer a choice. */
  effort: z.enum(EFFORTS).optional(),
  /** An older form of `models.small`. */
  small_model: model.optional(),
  /** An older form of `limits.session`. */
  session_limits: z
    .strictObject({ cost_usd: z.number().positive().optional(), tokens: z.number().int().positive().optional() })
    .optional(),
  sandbox: z
    .strictObject({
      memory: size.optional(),
      cpus: z.number().positive().max(64).optional(),
      pids: z.number().int().positive().max(4096).optional(),
      kernel_memory: size.optional(),
      /** Read-only directories outside the project that tests may see. */
      dependency_mounts: z.array(z.string().startsWith('/')).default([]),
      /** Images in which the tests and commands of single projects on this machine run. The first for a project counts. */
      image: z.array(imageOfUser).optional(),
    })
    .default({ dependency_mounts: [] }),
  network_groups: z.record(z.string(), z.array(z.string())).default({}),
  /** Services that tests need outside their sandbox. */
  services: z.record(serviceNameSchema, serviceSchema).default({}),
  dependencies: z
    .strictObject({
      /** Packages whose install scripts may run. */
      install_scripts: z.array(packageNameSchema).default([]),
      /** The registry may have an address reserved for documentation or benchmarks, which a local proxy's DNS returns. */
      reserved_addresses: z.boolean().default(false),
    })
    .default({ install_scripts: [], reserved_addresses: false }),
});

export const userConfigSchema = userConfigKeys.superRefine((config, context) => {
  for (const { path, message } of networkFaults(config))
    context.addIssue({ code: 'custom', path: [...path], message, input: config });
});

export type ProjectConfig = z.infer<typeof projectConfigSchema>;
export type UserConfig = z.infer<typeof userConfigKeys>;
