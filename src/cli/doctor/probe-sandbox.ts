import type { Engine } from '../../host/images/engine-api.ts';
import { runThrowaway } from '../../host/images/throwaway-container.ts';
import { type DoctorCheck, ok, problem } from './doctor-report.ts';
import { checkProtections } from './check-protections.ts';
import { PROBE_PROCESS_LIMIT, PROBE_SCRIPT, probeSchema } from './probe-script.ts';
import { parseJson } from '../../lib/parse-json.ts';

export interface ProbeOptions {
  readonly engine: Engine;
  /** Id of the image `node`. */
  readonly image: string;
  /** Text of the profile `standard`. */
  readonly seccomp: string;
  /** `uid:gid` that sandboxes would have. */
  readonly user: string;
}

const MIB = 1024 * 1024;
const MEMORY_LIMIT_BYTES = 64 * MIB;

/** Starts a throw-away sandbox and reports each protection as that sandbox finds it; a second one shows that memory is limited. */
export async function probeSandbox(options: ProbeOptions): Promise<DoctorCheck[]> {
  const result = await runThrowaway(options.engine, {
    image: options.image,
    command: ['/usr/local/bin/node', '-e', PROBE_SCRIPT],
    user: options.user,
    seccomp: options.seccomp,
    hostConfig: { PidsLimit: PROBE_PROCESS_LIMIT, Memory: 512 * MIB, MemorySwap: 512 * MIB },
  });
  const probe = probeSchema.safeParse(parseJson(result.stdout));
  if (!probe.success) {
    const why = result.stderr.trim() === '' ? `it ended with ${result.exitCode}` : result.stderr.trim();
    return [problem('error', 'protection', 'A sandbox could not be tried', why, 'run: fluffy doctor --fix')];
  }
  return [...checkProtections(probe.data), await probeMemory(options)];
}

async function probeMemory(options: ProbeOptions): Promise<DoctorCheck> {
  const id = 'protection.memory';
  const result = await runThrowaway(options.engine, {
    image: options.image,
    command: ['/usr/local/bin/node', '-e', `Buffer.alloc(${4 * MEMORY_LIMIT_BYTES}, 1)`],
    user: options.user,
    seccomp: options.seccomp,
    hostConfig: { Memory: MEMORY_LIMIT_BYTES, MemorySwap: MEMORY_LIMIT_BYTES, PidsLimit: 100 },
  });
  if (result.exitCode !== 0) return ok(id, 'the limit of memory is enforced');
  return problem(
    'error',
    id,
    'the limit of memory is not enforced',
    `a sandbox limited to ${MEMORY_LIMIT_BYTES / MIB} MiB used ${(4 * MEMORY_LIMIT_BYTES) / MIB} MiB`,
    'let the engine use the memory control group (on some kernels: boot with cgroup_enable=memory)',
  );
}
