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

/** The last call of a session that was refused, whole: what `/why` tells. */
export const refusalSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('policy'),
    decision: z.enum(['deny', 'require_review']),
    /** What was decided about, links followed: project-relative; null for a call that names no path. */
    target: z.string().nullable(),
    plugin: z.string(),
    /** Of the plugin. Refusals of earlier versions have none: only tools that ship could be called. */
    tags: z.array(z.string()).optional(),
    /** Of a command: what became of its changes. */
    effects: z.enum(COMMAND_EFFECTS).optional(),
    /** The arguments that the call would have run with. */
    facts: z
      .strictObject({ template: sandboxTemplateSchema.nullable(), hasToken: z.boolean(), sizeBytes: z.number() })
      .optional(),
    /** The policy that said so. */
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
  /** Not by a rule: by the workflow's state, by what git ignores, by a path that leads out of the project, or by the user. */
  z.strictObject({ ...common, kind: z.literal('other'), code: z.string(), message: z.string() }),
]);

export type Refusal = z.infer<typeof refusalSchema>;
