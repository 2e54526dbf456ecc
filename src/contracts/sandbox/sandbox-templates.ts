/**
 * The kinds of sandbox, one object each. Guard, scheduler, sandbox manager and policy all read this table. sandbox-programs.ts says what runs in a
 * template. In every template, a sandbox runs as the owner of the project, with a read-only root, no capability and no network interface.
 */

export const SECCOMP_PROFILES = ['strict', 'standard', 'standard-net'] as const;
/** A file of `seccomp/`, without `.json`. */
export type SeccompProfile = (typeof SECCOMP_PROFILES)[number];

/** The images that are built on this machine. */
export const BUILT_IMAGES = ['node', 'python', 'provider', 'policy-sandbox'] as const;
/** `project`: the image that the user's configuration names for the project. `service`: the one for a service. */
export const SANDBOX_IMAGES = [...BUILT_IMAGES, 'project', 'service'] as const;
export type SandboxImage = (typeof SANDBOX_IMAGES)[number];

export interface ResourceLimits {
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
  /** Largest file that a process in it may write (RLIMIT_FSIZE). */
  readonly fileSizeBytes: number;
}

export interface TemplateDefinition {
  readonly seccomp: SeccompProfile;
  /** Access through the egress gate: none, the endpoint of its provider, or the hosts of the requested network groups. */
  readonly network: 'none' | 'provider-endpoint' | 'network-groups';
  /** What the kernel requests, and the maximum that the guard grants. */
  readonly limits: ResourceLimits;
  /** Whether `sandbox` in the user's configuration may set the limits. */
  readonly userLimits: boolean;
  /** Maximum lifetime of a sandbox: then the guard ends it, whatever the kernel does. null: the lifetime of its kernel. */
  readonly maxAgeMs: number | null;
  /** How many may run at once if the policy does not say. */
  readonly places: number;
}

const MIB = 1024 * 1024;
const HOUR_MS = 60 * 60 * 1000;

export const TEMPLATES = {
  'ai-provider': {
    seccomp: 'strict',
    network: 'provider-endpoint',
    limits: { memoryBytes: 256 * MIB, cpus: 0.5, pids: 10, fileSizeBytes: 16 * MIB },
    maxAgeMs: 24 * HOUR_MS,
    userLimits: false,
    places: 2,
  },
  'code-executor': {
    seccomp: 'standard',
    network: 'none',
    limits: { memoryBytes: 1024 * MIB, cpus: 1, pids: 100, fileSizeBytes: 256 * MIB },
    maxAgeMs: 6 * HOUR_MS,
    userLimits: true,
    places: 2,
  },
  'integration-test': {
    seccomp: 'standard-net',
    network: 'network-groups',
    limits: { memoryBytes: 1024 * MIB, cpus: 1, pids: 100, fileSizeBytes: 256 * MIB },
    maxAgeMs: 6 * HOUR_MS,
    userLimits: true,
    places: 1,
  },
  'policy-sandbox': {
    seccomp: 'strict',
    network: 'none',
    limits: { memoryBytes: 256 * MIB, cpus: 1, pids: 64, fileSizeBytes: MIB },
    maxAgeMs: null,
    userLimits: false,
    places: 1,
  },
} as const satisfies Readonly<Record<string, TemplateDefinition>>;

export type SandboxTemplate = keyof typeof TEMPLATES;
export const SANDBOX_TEMPLATES = Object.keys(TEMPLATES) as [SandboxTemplate, ...SandboxTemplate[]];

export type TemplateLimits = Readonly<Record<SandboxTemplate, ResourceLimits>>;

/** The limits of each template; `userLimits` is what the user's configuration sets for the templates that allow it. */
export function templateLimits(userLimits?: ResourceLimits): TemplateLimits {
  return perTemplate((template) => (template.userLimits ? (userLimits ?? template.limits) : template.limits));
}

/** One value for each template. */
export function perTemplate<T>(
  value: (definition: TemplateDefinition, name: SandboxTemplate) => T,
): Readonly<Record<SandboxTemplate, T>> {
  return Object.fromEntries(SANDBOX_TEMPLATES.map((name) => [name, value(TEMPLATES[name], name)])) as Record<
    SandboxTemplate,
    T
  >;
}
