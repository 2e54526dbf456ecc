import { z } from 'zod';
import { gitDirectoriesSchema } from './git-directories.ts';
import { protectedLocationsSchema } from './protected-locations.ts';
import { testNetworkSchema } from './sandbox/test-network.ts';

/** What the supervisor passes to the kernel at its start, as JSON in the environment variable FLUFFY_KERNEL_OPTIONS of the L1 container. */
export const KERNEL_OPTIONS_VARIABLE = 'FLUFFY_KERNEL_OPTIONS';

export const resourceLimitsSchema = z.strictObject({
  memoryBytes: z.number().int().positive(),
  cpus: z.number().positive(),
  pids: z.number().int().positive(),
  fileSizeBytes: z.number().int().positive(),
});

/** A toolchain of the host that test sandboxes see. */
const toolchainSchema = z.strictObject({
  name: z.string(),
  /** Directories of its programs. */
  path: z.array(z.string().startsWith('/')),
  env: z.record(z.string(), z.string()),
  /** Replaces the image's Node for running JavaScript tests. */
  node: z.string().startsWith('/').optional(),
  /** A directory with Python and pip that replaces the image's Python, but not that of a virtual environment. */
  python: z.string().startsWith('/').optional(),
  /** The program of the Python with which tests run, if it is not the image's: packages are installed for it. */
  interpreter: z.string().startsWith('/').optional(),
});

/** Which version runs the tests, for a project that requests another version than the images have. */
const toolchainNoteSchema = z.strictObject({
  level: z.enum(['info', 'warn']),
  what: z.string(),
  why: z.string(),
  fix: z.string(),
});

/** Properties of the image that the user's configuration names for the project, for tests and commands. */
const projectImageSchema = z.strictObject({
  /** Its name in the user's configuration, and its id. */
  reference: z.string(),
  id: z.string(),
  /** The Node that runs tests. */
  node: z.string().startsWith('/'),
  /** The image's own `PATH`. */
  path: z.array(z.string().startsWith('/')),
  /** The image's own variables. */
  env: z.record(z.string(), z.string()),
});

export type KernelProjectImage = z.infer<typeof projectImageSchema>;
export type KernelToolchain = z.infer<typeof toolchainSchema>;

export const kernelOptionsSchema = z.strictObject({
  project_root: z.string(),
  /** Set for a linked worktree; absent if `.git` is a directory of the project. */
  linked: gitDirectoriesSchema.optional(),
  project_id: z.string(),
  /** Owner of the project directory; every container runs as this user. */
  uid: z.number().int().nonnegative(),
  gid: z.number().int().nonnegative(),
  memory_limit_bytes: z.number().int().positive(),
  /** Limits of the user's configuration, for the templates that accept them; absent: the limits of the table. */
  sandbox_limits: resourceLimitsSchema.optional(),
  /** Egress of the provider programs, `host:port`, as the host will allow it. Shown in audit and policy requests. */
  provider_hosts: z.record(z.string(), z.array(z.string())),
  images: z.record(z.string(), z.string()),
  locations: protectedLocationsSchema,
  /** Absent if there are none. */
  toolchains: z.array(toolchainSchema).optional(),
  /** Shown at the start of sessions whose tests run with Node; absent if the project requests no other version. */
  node_note: toolchainNoteSchema.optional(),
  /** The same for Python. */
  python_note: toolchainNoteSchema.optional(),
  /** Absent: tests and commands run in Fluffy's own images. The image's id is `images.project`. */
  project_image: projectImageSchema.optional(),
  /** Absent: tests have no services, and no network can be allowed for them. */
  test_network: testNetworkSchema.optional(),
});

export type KernelOptions = z.infer<typeof kernelOptionsSchema>;
