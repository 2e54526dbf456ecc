import { z } from 'zod';
import { EXIT } from '../exit-codes.ts';
import { sandboxIdSchema, sessionIdSchema, sha256Schema } from '../ids.ts';
import { providerNameSchema } from '../model/provider-config.ts';
import { PACKAGE_MANAGER_NAMES, layerIdSchema } from './package-managers.ts';
import { PROGRAMS } from './sandbox-programs.ts';
import { SANDBOX_IMAGES, SANDBOX_TEMPLATES } from './sandbox-templates.ts';
import { serviceNameSchema } from './test-network.ts';

/**
 * The runtime guard's socket, as L1 sees it: HTTP over a Unix socket in the engine API's own style, so that an ordinary client
 * (dockerode) speaks it. Every path that is not listed is 403. Nothing here names a path of the host. One call
 * a connection; bodies up to 64 KiB, those of a create never repeated in the query; limits above the host's caps become the caps.
 *
 *   GET    /_ping
 *   GET    /images/json                      our images: [{name, id}]
 *   POST   /volumes/create                   GuardVolumeCreate -> {Name}
 *   GET    /volumes                          ours: {Volumes: [{Name, Labels}]}
 *   DELETE /volumes/{name}
 *   POST   /containers/create                GuardContainerCreate -> {Id}
 *   GET    /containers/json                  ours, all states: [{Id, State, Labels}]
 *   POST   /containers/{id}/start|stop|kill|wait|pause|unpause
 *   GET    /containers/{id}/json|logs
 *   DELETE /containers/{id}
 *   GET    /fluffy/anchor                    AnchorPosition: how far the host has followed the audit chain
 *   POST   /fluffy/anchor-records            AnchorRecords -> FollowAnswer: records that follow there, which the host checks; up to 3 MiB
 *   POST   /fluffy/anchor                    AnchorRequest: the host signs and keeps the head of the audit chain, if it has followed it
 *   POST   /fluffy/spending                  Spent -> SpendingTotals: the host adds what requests to models have used to its sums
 *   POST   /fluffy/attest                    AttestRequest -> AttestAnswer: the host signs the evidence of a commit; up to 3 MiB
 *   GET    /fluffy/project-place             PlaceFinding: whether the project's path still leads to the directory that L1 was given
 *   GET    /fluffy/egress/{sandbox}          EgressAttempt[]: which connections a living sandbox has asked the egress gate for
 *   GET    /fluffy/signed-policy/{sha256}    whether the user has signed the project policy with this text: {signed}
 *
 * Directories are named by (kind, id) and resolved by the guard, component by component with O_NOFOLLOW, under the project's
 * own state and runtime directories:
 *   state/staging/<session>            lower layer of every workspace of that session
 *   state/slots/<slot>/{upper,work}    one overlay operation
 *   state/layers/<layer>/{packages,hiding}  installed packages of a lockfile, between the project and its staging
 *   state/out/<sandbox>                a test run finds its job here, removes it, and leaves its report  -> /var/local
 *   run/sbx/<sandbox>                  holds kernel.sock, which the kernel listens on -> /run/fluffy
 * A sandbox of a provider that has an endpoint also gets, from the host alone and never visible to L1, egress.sock and secret.sock
 * -> /run/fluffy-guard; the `network` sandbox of a test run gets egress.sock there. Tests and services that join it see no such directory.
 * The workspace is mounted at the project's absolute path.
 */

/** The program to run: the guard has a fixed image, entry point, command and environment for each. */
export const programSchema = z.enum(PROGRAMS);
export const sandboxTemplateSchema = z.enum(SANDBOX_TEMPLATES);

/** Overlay of project (lowest), layers of installed packages, staging of `session`, and a slot's upper directory. */
export const guardVolumeCreateSchema = z.strictObject({
  sandbox: sandboxIdSchema,
  session: sessionIdSchema,
  slot: z.number().int().min(0).max(63),
  /** The first hides the others. */
  layers: z.array(layerIdSchema).max(PACKAGE_MANAGER_NAMES.length).optional(),
});

export const guardContainerCreateSchema = z.strictObject({
  sandbox: sandboxIdSchema,
  session: sessionIdSchema,
  program: programSchema,
  template: sandboxTemplateSchema,
  /** Image by name; the guard fills in the digest that it knows. A test may request the image of its language. */
  image: z.enum(SANDBOX_IMAGES),
  /** A volume made by /volumes/create for this sandbox, or none. */
  workspace: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('overlay'), volume: z.string().max(100) }),
  ]),
  limits: z.strictObject({
    memory_bytes: z
      .number()
      .int()
      .min(16 * 1024 * 1024),
    cpus: z.number().positive().max(64),
    pids: z.number().int().min(1).max(4096),
    /** Largest file that a process in it may write (RLIMIT_FSIZE). */
    file_size_bytes: z.number().int().positive(),
  }),
  /** For a provider program: the user's provider that it serves, if that is not the program's own name. Resolved on the host. */
  provider: providerNameSchema.optional(),
  /** For `integration-test`: names of whitelist groups; the guard resolves them by the host's own policy. */
  network_groups: z.array(z.string().max(100)).max(16).optional(),
  /** For `service`: the user's service for this project. Only the host knows its command, image and variables. */
  service: serviceNameSchema.optional(),
  /** For `test` and `service`: a `network` sandbox of the same session, whose loopback it shares. */
  network_of: sandboxIdSchema.optional(),
});

export const anchorRequestSchema = z.strictObject({
  /** Number of entries in the chain, and the hash of the last one. */
  entries: z.number().int().nonnegative(),
  head: sha256Schema,
});

/** How far the host has followed the chain: it signs nothing beyond. `head` is null if there is no record yet. */
export const anchorPositionSchema = z.strictObject({
  entries: z.number().int().nonnegative(),
  head: sha256Schema.nullable(),
});

/** Bodies of the records that follow record number `after`, in order. */
export const anchorRecordsSchema = z.strictObject({
  after: z.number().int().nonnegative(),
  records: z
    .array(z.string().max(1024 * 1024))
    .min(1)
    .max(500),
});

export const followAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('followed'), entries: z.number().int().nonnegative() }),
  z.strictObject({ kind: z.literal('refused'), reason: z.string() }),
]);

/** Of a call that the host cannot do for a reason that a person can remove: the parts of its FluffyError. */
export const guardFailureSchema = z.looseObject({
  error: z.strictObject({
    code: z.string(),
    what: z.string(),
    why: z.string(),
    fix: z.string(),
    exit_code: z.enum(EXIT),
  }),
});

export type GuardFailure = z.infer<typeof guardFailureSchema>;
export type GuardVolumeCreate = z.infer<typeof guardVolumeCreateSchema>;
export type GuardContainerCreate = z.infer<typeof guardContainerCreateSchema>;
export type AnchorRequest = z.infer<typeof anchorRequestSchema>;
export type AnchorPosition = z.infer<typeof anchorPositionSchema>;
export type AnchorRecords = z.infer<typeof anchorRecordsSchema>;
export type FollowAnswer = z.infer<typeof followAnswerSchema>;

export const placeFindingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('same') }),
  z.strictObject({ kind: z.literal('replaced'), what: z.enum(['project', 'state directory']), why: z.string() }),
]);

/** Labels on everything that the guard creates. */
export const LABELS = {
  project: 'fluffy.project',
  session: 'fluffy.session',
  sandbox: 'fluffy.sandbox',
  role: 'fluffy.role',
} as const;
