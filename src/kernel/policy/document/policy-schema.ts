import { z } from 'zod';
import { SANDBOX_TEMPLATES } from '../../../contracts/sandbox/sandbox-templates.ts';
import { sandboxTemplateSchema } from '../../../contracts/sandbox/guard-api.ts';
import { MAX_EXTENSIONS } from '../../../contracts/policy-extension.ts';
import { COMMAND_EFFECTS, MAX_PATH_BYTES, RULE_ACTIONS } from '../../../contracts/policy.ts';
import { SESSION_MODES, SESSION_STATES } from '../../../contracts/session/workflow-states.ts';
import { parseByteSize } from '../../../lib/text/byte-size.ts';
import { parseDuration } from '../../../lib/text/duration.ts';
import { CONDITION_FORMS, parseCondition } from '../../../lib/evidence/conditions.ts';
import type { GradeCondition } from '../../../lib/evidence/conditions.ts';
import { parseGlob } from '../../../lib/globs/parse-glob.ts';
import { RULE_CLASSES } from '../rules/rule-class.ts';
import { parseCommandPattern } from '../rules/command-pattern.ts';
import { parseHostPattern } from '../rules/host-pattern.ts';
import { excerpt, quoted } from './excerpt.ts';

/** The schema of a policy file. Objects are strict: a misspelt field must never become a rule that demands less. */

/** A single value is read as a list with one item. */
const oneOrMany = <T extends z.ZodType>(value: T) =>
  z.preprocess((given): unknown => (Array.isArray(given) ? given : [given]), z.array(value));

/** Control and invisible characters are not allowed in texts that are shown to the person who decides. */
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u;
const name = z.string().min(1).max(128).regex(PRINTABLE, 'contains a control or invisible character');
/** Several lines in the file are joined into one. */
const sentence = z
  .string()
  .max(1000)
  .transform((text) => text.trim().replaceAll(/\s*\n\s*/g, ' '))
  .pipe(z.string().min(1).regex(PRINTABLE, 'contains a control or invisible character'));
const syscall = z
  .string()
  .max(128)
  .regex(/^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*$/, 'is not the name of a syscall, such as fs.write');

const glob = z.string().transform((source, context) => {
  const parsed = parseGlob(source);
  if (parsed.kind === 'ok') return parsed.glob;
  context.addIssue({ code: 'custom', message: `the pattern ${quoted(source)} ${parsed.reason}` });
  return z.NEVER;
});

const host = z.string().transform((source, context) => {
  const parsed = parseHostPattern(source);
  if (parsed.kind === 'ok') return parsed.host;
  context.addIssue({ code: 'custom', message: `the host ${quoted(source)} ${parsed.reason}` });
  return z.NEVER;
});

const byteSize = z
  .union([z.string(), z.number()], { error: 'must be a size such as 100KiB' })
  .transform((value, context) => {
    const parsed = parseByteSize(typeof value === 'string' ? excerpt(value) : value);
    if (parsed.kind === 'ok') return parsed.bytes;
    context.addIssue({ code: 'custom', message: `the size ${parsed.problem}` });
    return z.NEVER;
  });

const duration = z.string().transform((value, context) => {
  const parsed = parseDuration(excerpt(value));
  if (parsed.kind === 'ok') return parsed.ms;
  context.addIssue({ code: 'custom', message: `the duration ${parsed.problem}` });
  return z.NEVER;
});

/** Together with the length of an item, this limits the cost of one condition on the longest command. */
const MAX_COMMANDS = 64;
const command = z
  .array(z.string().min(1).max(256), { error: 'must be a list: the program, then arguments, such as [npm, test]' })
  .max(32)
  .transform((source, context) => {
    const parsed = parseCommandPattern(source);
    if (parsed.kind === 'ok') return parsed.command;
    context.addIssue({ code: 'custom', message: `the command ${excerpt(JSON.stringify(source))} ${parsed.reason}` });
    return z.NEVER;
  });

export const conditionSchema = z.strictObject({
  syscall: oneOrMany(syscall).optional(),
  path_glob: oneOrMany(glob).optional(),
  caller_tag: oneOrMany(name).optional(),
  plugin: oneOrMany(name).optional(),
  session_mode: oneOrMany(z.enum(SESSION_MODES)).optional(),
  state_machine_state: oneOrMany(z.enum(SESSION_STATES)).optional(),
  sandbox_template: oneOrMany(sandboxTemplateSchema).optional(),
  host: oneOrMany(host).optional(),
  path_class: oneOrMany(z.enum(RULE_CLASSES)).optional(),
  command: z.array(command).max(MAX_COMMANDS).optional(),
  effects: oneOrMany(z.enum(COMMAND_EFFECTS)).optional(),
});
export type ConditionDocument = z.infer<typeof conditionSchema>;

const nonEmptyCondition = conditionSchema.refine(
  (condition) => Object.keys(condition).length > 0,
  'must name at least one field',
);

const examplePath = z
  .string()
  .refine(
    (path) => Buffer.byteLength(path, 'utf8') <= MAX_PATH_BYTES,
    `is longer than ${MAX_PATH_BYTES} bytes, as no path of a request is`,
  );

/**
 * A request, or only its path. Missing fields are taken from the rule's own `match`. Its limits are those of requests.
 */
const example = z.preprocess(
  (given) => (typeof given === 'string' ? { path: given } : given),
  z.strictObject({
    syscall: syscall.optional(),
    path: examplePath.optional(),
    host: z.string().max(300).optional(),
    state: z.enum(SESSION_STATES).optional(),
    mode: z.enum(SESSION_MODES).optional(),
    tags: z.array(z.string().max(128)).max(64).optional(),
    plugin: z.string().max(128).optional(),
    template: sandboxTemplateSchema.optional(),
    command: z.array(z.string().max(1024)).min(1).max(200).optional(),
    effects: z.enum(COMMAND_EFFECTS).optional(),
  }),
);
export type RuleExample = z.infer<typeof example>;

export const ruleSchema = z.strictObject({
  name,
  match: nonEmptyCondition,
  except: z.array(nonEmptyCondition).optional(),
  action: z.enum(RULE_ACTIONS),
  reason: sentence.optional(),
  constraints: z
    .strictObject({
      max_file_size: byteSize.optional(),
      require_sandbox: z.enum(['L2', ...SANDBOX_TEMPLATES]).optional(),
      require_capability_token: z.boolean().optional(),
    })
    .optional(),
  examples: z.strictObject({ match: z.array(example).optional(), no_match: z.array(example).optional() }).optional(),
});
export type RuleDocument = z.infer<typeof ruleSchema>;

/** A first item `[]` means that the list replaces the shipped one (`replacedLists`). */
const globs = z
  .array(
    z.union([
      glob,
      z
        .array(z.never())
        .max(0)
        .transform(() => null),
    ]),
  )
  .refine(
    (list) => list.every((item, index) => item !== null || index === 0),
    'has an empty list behind its first item',
  )
  .transform((list) => list.filter((item) => item !== null));
const oneGlobOrMany = z.preprocess((given): unknown => (Array.isArray(given) ? given : [given]), globs);
const count = z.number().int().positive();
const condition = z.string().transform((text, context): GradeCondition => {
  const parsed = parseCondition(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: `is none of ${CONDITION_FORMS}` });
  return z.NEVER;
});

export const policySchema = z.strictObject({
  version: z.literal(1).optional(),
  capabilities: z.array(ruleSchema).optional(),
  network_whitelist: z.record(name, z.array(host)).optional(),
  tdd_exemptions: z
    .partialRecord(
      z.enum(['config_change', 'type_refactor', 'documentation', 'asset_update']),
      z.strictObject({ path_glob: oneGlobOrMany, condition: z.literal('type_only_change').optional() }),
    )
    .optional(),
  workspace: z
    .strictObject({
      test_globs: globs.optional(),
      test_except: globs.optional(),
      docs_globs: globs.optional(),
      other_globs: globs.optional(),
      source_globs: globs.optional(),
    })
    .optional(),
  review: z
    .strictObject({
      max_diff_lines: z.number().int().nonnegative().optional(),
      max_diff_bytes: byteSize.optional(),
      exemptions: z.enum(['ask', 'auto']).optional(),
      auto_approve: z.union([z.literal('never'), z.array(condition).min(1).max(10)]).optional(),
      mutation: z.enum(['run', 'skip']).optional(),
      sensitive_globs: globs.optional(),
    })
    .optional(),
  sanitizer: z
    .strictObject({
      max_result_tokens: count.optional(),
      patterns: z
        .array(z.strictObject({ name, prefix: z.string().min(2).max(64), min_length: count.max(4096).optional() }))
        .max(200)
        .optional(),
    })
    .optional(),
  scheduler: z
    .strictObject({
      global_max: count.max(64).optional(),
      per_template: z.partialRecord(sandboxTemplateSchema, count.max(64)).optional(),
      age_threshold: duration.optional(),
    })
    .optional(),
  audit: z
    .strictObject({
      retention_days: count.optional(),
      max_size: byteSize.optional(),
      rotation: z.enum(['daily', 'weekly', 'monthly']).optional(),
      export_format: z.literal('jsonl').optional(),
    })
    .optional(),
  tech_debt: z
    .strictObject({
      coverage: z
        .strictObject({
          baseline_file: z
            .string()
            .regex(/^\.fluffy\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/, 'must be a file directly under .fluffy/')
            .optional(),
          min_delta: z.number().optional(),
          warning_threshold: z.number().optional(),
          lockout_threshold: z.number().optional(),
        })
        .optional(),
      lockout_action: z.literal('block_explore').optional(),
      recovery: z.literal('strict_mode_with_coverage_gain').optional(),
    })
    .optional(),
  extensions: z
    .array(
      z.strictObject({
        name,
        entry: z
          .string()
          .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*\.ts$/, 'must be the name of a .ts file beside the policy'),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits'),
        match: nonEmptyCondition.optional(),
      }),
    )
    .max(MAX_EXTENSIONS)
    .optional(),
});
export type PolicyDocument = z.infer<typeof policySchema>;
