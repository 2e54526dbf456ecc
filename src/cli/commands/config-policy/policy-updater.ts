import { setTimeout as sleep } from 'node:timers/promises';
import { auditEntrySchema } from '../../../contracts/audit-entry.ts';
import type { AuditEntry } from '../../../contracts/audit-entry.ts';
import type { ProjectDirs, UserDirs } from '../../../contracts/host-layout.ts';
import { approvalKey, signApproval } from '../../../host/signer/index.ts';
import { auditLog } from '../../audit/audit-log.ts';
import { checkText } from '../../config/policy/check-text.ts';
import { connectPolicyKernel } from '../../config/policy/connect-policy-kernel.ts';
import type { PolicyUpdater, TakenUp } from '../../config/policy/propose-update.ts';
import { updaterOnHost } from '../../config/policy/update-on-host.ts';
import { reloadThrough, updaterThroughKernel } from '../../config/policy/update-through-kernel.ts';
import { REPOSITORY_ROOT } from '../../open-project.ts';
import { runningKernelSocket } from '../../supervisor/client/running-kernel.ts';

/** Decides about a new policy of the project: its kernel if one runs, which then applies it at once, else the host. Starts no kernel. */
export async function policyUpdater(dirs: ProjectDirs, user: UserDirs): Promise<PolicyUpdater> {
  const socket = await runningKernelSocket(dirs);
  if (socket === null) {
    return updaterOnHost({
      installRoot: REPOSITORY_ROOT,
      projectRoot: dirs.root,
      trustDirectory: user.trust,
      recentAudit: (limit) => recentEntries(dirs.database, limit),
    });
  }
  const kernel = await connectPolicyKernel(socket);
  const passphrase = () => Promise.resolve(process.env['FLUFFY_PASSPHRASE'] ?? null);
  const updater = updaterThroughKernel(kernel, async (sha256) =>
    signApproval(await approvalKey(user, passphrase), sha256),
  );
  return {
    ...updater,
    // Faults in an extension that need a compiler to be found are checked here, because the kernel has none.
    propose: async (base, text) => {
      const checked = await checkText({ installRoot: REPOSITORY_ROOT, projectRoot: dirs.root }, text);
      return checked.kind === 'invalid' ? checked : updater.propose(base, text);
    },
  };
}

/** A kernel that does not answer checks again before its next message. */
const RELOAD_WITHIN_MS = 10_000;

/** Makes a running kernel read the project's policy and its signature again. Starts no kernel. */
export async function reloadRunningKernel(dirs: ProjectDirs): Promise<TakenUp> {
  const socket = await runningKernelSocket(dirs);
  if (socket === null) return 'next-start';
  const kernel = await connectPolicyKernel(socket).catch(() => null);
  if (kernel === null) return 'not-yet';
  try {
    return await Promise.race([reloadThrough(kernel, null), sleep(RELOAD_WITHIN_MS, 'not-yet' as const)]);
  } finally {
    kernel.close();
  }
}

/** The newest records of a project's log, newest first; empty if there is no log. */
export async function recentEntries(databasePath: string, limit: number): Promise<readonly AuditEntry[]> {
  const newest: AuditEntry[] = [];
  await auditLog({
    databasePath,
    json: true,
    write: (line) => {
      newest.push(auditEntrySchema.parse(JSON.parse(line)));
      if (newest.length > limit) newest.shift();
    },
  });
  return newest.reverse();
}
