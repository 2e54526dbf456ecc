import { type DoctorCheck, ok, problem } from './doctor-report.ts';
import { PROBE_PROCESS_LIMIT, type Probe } from './probe-script.ts';

const ENGINE_FIX = 'use a current Docker or Podman, and a kernel built with this protection';

/** How one protection must look from inside, and the consequence if it is missing. */
interface Protection {
  readonly id: string;
  readonly holds: (probe: Probe) => boolean;
  readonly held: string;
  readonly broken: string;
  readonly why: (probe: Probe) => string;
}

const PROTECTIONS: readonly Protection[] = [
  {
    id: 'seccomp',
    // 2 is SECCOMP_MODE_FILTER; the refused socket shows that the filter is Fluffy's.
    holds: ({ seccomp, internetSocket }) => seccomp === '2' && internetSocket === 'EPERM',
    held: 'system calls are filtered by our profile',
    broken: 'system calls are not filtered by our profile',
    why: ({ seccomp, internetSocket }) => `mode ${seccomp ?? 'unknown'}, an internet socket gave ${internetSocket}`,
  },
  {
    id: 'no_new_privileges',
    holds: ({ noNewPrivileges }) => noNewPrivileges === '1',
    held: 'no program can gain privileges',
    broken: 'programs can gain privileges',
    why: ({ noNewPrivileges }) => `NoNewPrivs is ${noNewPrivileges ?? 'unknown'}`,
  },
  {
    id: 'capabilities',
    holds: ({ capabilities }) => capabilities !== null && /^0+$/.test(capabilities),
    held: 'sandboxes have no capability',
    broken: 'sandboxes have capabilities',
    why: ({ capabilities }) => `CapEff is ${capabilities ?? 'unknown'}`,
  },
  {
    id: 'user',
    holds: ({ uid }) => uid !== 0,
    held: 'sandboxes run as an ordinary user',
    broken: 'sandboxes run as root',
    why: ({ uid }) => `uid ${uid}`,
  },
  {
    id: 'read_only',
    holds: ({ rootWritable }) => !rootWritable,
    held: 'the root file system of a sandbox is read-only',
    broken: 'the root file system of a sandbox can be written',
    why: () => 'a file was made in /',
  },
  {
    id: 'network',
    holds: ({ interfaces }) => interfaces.every((name) => name === 'lo'),
    held: 'sandboxes have no network interface',
    broken: 'sandboxes have a network interface',
    why: ({ interfaces }) => interfaces.join(', '),
  },
  {
    id: 'namespaces',
    holds: ({ namespace }) => namespace === 'refused',
    held: 'sandboxes can make no user namespace',
    broken: 'sandboxes may be able to make a user namespace',
    why: ({ namespace }) => (namespace === 'made' ? 'unshare --user succeeded' : 'there is no unshare to try it with'),
  },
  {
    id: 'processes',
    holds: ({ processes }) => processes < PROBE_PROCESS_LIMIT,
    held: 'the limit of processes is enforced',
    broken: 'the limit of processes is not enforced',
    why: ({ processes }) => `${processes} processes were started under a limit of ${PROBE_PROCESS_LIMIT}`,
  },
];

/** Checks the probe's report. Every missing protection is an error. */
export function checkProtections(probe: Probe): DoctorCheck[] {
  return [
    ...PROTECTIONS.map(({ id, holds, held, broken, why }) =>
      holds(probe)
        ? ok(`protection.${id}`, held)
        : problem('error', `protection.${id}`, broken, why(probe), ENGINE_FIX),
    ),
    cgroupNamespace(probe),
    userNamespace(probe),
    appArmor(probe),
  ];
}

/** In its own cgroup namespace, a process is at the root of every hierarchy. */
function cgroupNamespace({ cgroup }: Probe): DoctorCheck {
  const id = 'protection.cgroup_namespace';
  const paths = (cgroup ?? '').split('\n').map((line) => line.split(':').slice(2).join(':'));
  if (cgroup !== null && paths.every((path) => path === '/'))
    return ok(id, 'sandboxes have a control group namespace of their own');
  return problem('warn', id, 'sandboxes see the control groups of the host', cgroup ?? 'unknown', ENGINE_FIX);
}

/** Not required: depends on the host, and is only reported. */
function userNamespace({ uidMap }: Probe): DoctorCheck {
  const id = 'protection.user_namespace';
  const whole = /^\s*0\s+0\s+4294967295\s*$/.test(uidMap ?? '');
  return ok(
    id,
    whole ? 'user ids in a sandbox are those of the host' : 'user ids in a sandbox are mapped to others on the host',
  );
}

function appArmor({ apparmor }: Probe): DoctorCheck {
  const id = 'protection.apparmor';
  if (apparmor !== null && apparmor !== '' && !apparmor.startsWith('unconfined'))
    return ok(id, `AppArmor confines sandboxes (${apparmor})`);
  return problem(
    'warn',
    id,
    'AppArmor does not confine sandboxes',
    'this kernel or engine has none; the other protections do not rely on it',
    '',
  );
}
