import { z } from 'zod';
import { sandboxTemplateSchema } from '../sandbox/guard-api.ts';
import { COMMAND_EFFECTS, RULE_ACTIONS, RULE_LAYERS } from '../policy.ts';
import { SESSION_MODES, SESSION_STATES } from '../session/workflow-states.ts';

const common = {
  call_id: z.string(),
  /** The tool, as the model called it. */
  syscall: z.string(),
  state: z.enum(SESSION_STATES),
  mode: z.enum(SESSION_MODES),
};

/** The last refused call of a session, with everything that `/why` shows. */
export const refusalSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('policy'),
    decision: z.enum(['deny', 'require_review']),
    /** The decided path, with links followed: project-relative; null for a call without a path. */
    target: z.string().nullable(),
    plugin: z.string(),
    /** Tags of the plugin. Refusals of earlier versions have none, because only shipped tools could be called then. */
    tags: z.array(z.string()).optional(),
    /** For a command: what happens to its changes. */
    effects: z.enum(COMMAND_EFFECTS).optional(),
    /** The facts with which the call would have run. */
    facts: z
      .strictObject({ template: sandboxTemplateSchema.nullable(), hasToken: z.boolean(), sizeBytes: z.number() })
      .optional(),
    /** The policy that refused the call. */
    policy: z.string(),
    rules: z.array(
      z.strictObject({
        name: z.string(),
        layer: z.enum(RULE_LAYERS),
        action: z.enum(RULE_ACTIONS),
        reason: z.string().optional(),
      }),
    ),
    reasons: z.array(z.string()),
  }),
  /** Refused by something other than a rule: the workflow's state, git's ignore rules, a path outside the project, or the user. */
  z.strictObject({ ...common, kind: z.literal('other'), code: z.string(), message: z.string() }),
]);

export type Refusal = z.infer<typeof refusalSchema>;
