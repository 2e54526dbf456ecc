import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { FluffyError } from '../contracts/fluffy-error.ts';
import type { AuditInput } from '../contracts/audit-entry.ts';
import type { Sha256 } from '../contracts/ids.ts';
import { IN_L1 } from '../contracts/sandbox/container-paths.ts';
import { KERNEL_OPTIONS_VARIABLE, kernelOptionsSchema } from '../contracts/kernel-options.ts';
import { gitFile, ordinaryGitDirectories } from '../lib/git/git-directories.ts';
import { MIN_FREE_BYTES } from '../lib/disk-full.ts';
import { servePeers } from '../ipc/index.ts';
import { messageOf } from '../lib/text/message-of.ts';
import { AnchorClient, LogNotFollowed } from '../platform/docker/anchor-client.ts';
import { attestThrough } from '../platform/docker/attest-client.ts';
import { addSpendingThrough } from '../platform/docker/spending-client.ts';
import { PACKAGE_TREE } from '../contracts/sandbox/package-managers.ts';
import { templateLimits } from '../contracts/sandbox/sandbox-templates.ts';
import { untilGuardGone } from '../platform/docker/watch-guard.ts';
import { DockerRuntime } from '../platform/docker/docker-runtime.ts';
import { placeThrough } from '../platform/docker/project-place-client.ts';
import { signedPolicyThrough } from '../platform/docker/signed-policy-client.ts';
import { recoverStaging } from '../platform/fs/staging/recover-staging.ts';
import { ownPrograms } from '../lib/packages/own-programs.ts';
import { openLayerStore } from '../platform/fs/layers/layer-store.ts';
import { createSlotPool } from '../platform/fs/slots.ts';
import { createProjectMemory } from '../platform/fs/project-memory.ts';
import { createWorkspace } from '../platform/fs/workspace.ts';
import { openMergeTarget } from '../platform/git/merge/merge-target.ts';
import { openPreparedObjects } from '../platform/git/prepared-objects.ts';
import { openRepository } from '../platform/git/repository.ts';
import { createSlotUsage, freeBytes, isShortOfSpace } from '../platform/sandbox-dirs/slot-usage.ts';
import { createSandboxDirectories } from '../platform/sandbox-dirs/sandbox-directories.ts';
import { SqliteAuditLog } from '../platform/sqlite/audit-log.ts';
import { openAuditStorage } from '../platform/sqlite/audit-storage.ts';
import { backUp } from '../platform/sqlite/backups.ts';
import { findDamagedRow } from '../platform/sqlite/check-rows.ts';
import { openDatabase } from '../platform/sqlite/open-database.ts';
import { SqliteOperationLog } from '../platform/sqlite/operation-log.ts';
import { recoveryEntry } from '../platform/sqlite/recovery-entry.ts';
import { SqliteSessionStore } from '../platform/sqlite/session-store.ts';
import { systemClock } from '../platform/system/clock.ts';
import { systemRandom } from '../platform/system/random.ts';
import { syntaxParser } from '../platform/syntax/syntax-parser.ts';
import { stripTypes } from '../platform/system/strip-types.ts';
import { chainLength, chainSlice } from '../platform/sqlite/chain-rows.ts';
import { digestOriginal } from './audit/summarise.ts';
import { TRANSITION_CHAIN } from './audit/transition-chain.ts';
import { AUDIT_CHAIN } from './audit/verify-chain.ts';
import { mergeInPlace } from './commit/merge/merge-in-place.ts';
import { RepositoryCommits } from './commit/repository-commits.ts';
import { openPolicy, policyStamp, readProjectText, tryPolicy } from './policy-source/open-policy.ts';
import { checkEnd } from './start/check-chain.ts';
import { checkDatabase } from './start/check-database.ts';
import { IdleBackups } from './start/idle-backups.ts';
import { lostDatabase, startNotices } from './start/start-notices.ts';
import type { Notice, Unsigned } from './start/start-notices.ts';
import { Retention } from './start/retention.ts';
import { SessionWorkspaces } from './start/open-workspaces.ts';
import { HumanDecisions } from './review/human-decisions.ts';
import type { Services } from './services.ts';
import { CapabilityStore, ExtensionRunner, PolicyHolder } from './policy/index.ts';
import { recoverAll } from './serve/recover-all.ts';
import { DEFAULT_TIMING, SandboxManager } from './sandbox/index.ts';
import { DEFAULT_LIMITS, Scheduler } from './scheduler/index.ts';
import { serveCli } from './serve/cli-server.ts';
import { policyNotice } from './serve/policy-notice.ts';
import { PolicyUpdates } from './serve/policy-updates.ts';
import { SessionManager } from './serve/session-manager.ts';
import { chainBreakEntry, kernelEntry, projectImage, sandboxRecords } from './record/kernel-entries.ts';
import { TOOLS } from './tools/registry.ts';

/**
 * The kernel's composition: the only file in which kernel steps and platform meet. The order matters: the writer's lock; what a crash left in the
 * database, the staging and the project; then what it left in the engine; and last the socket for requests.
 */
const SLOTS = 16;
const MIB = 1024 * 1024;
const POLICY_FILE = '/opt/fluffy/policy.yaml';
const RIPGREP = '/usr/local/bin/rg';

// Registered first, so that an exception at the start reaches the engine's log as sentences and not as a stack.
process.on('uncaughtException', (error) => {
  say(error instanceof FluffyError ? `${error.what}: ${error.why}` : (error.stack ?? error.message));
  process.exit(70);
});

const options = kernelOptionsSchema.parse(JSON.parse(process.env[KERNEL_OPTIONS_VARIABLE] ?? '{}'));
const clock = systemClock;
const random = systemRandom;
/** The process that started this kernel waits for it, so later checks leave the processor to the start. */
const CHECK_AFTER_MS = 5_000;
/** Pause between two slices of that check while a run is in progress. */
const CHECK_PAUSE_MS = 10;
/** Maximum time for an orderly end after the guard is gone. */
const SHUT_DOWN_MS = 10_000;
const git = options.linked ?? ordinaryGitDirectories(options.project_root);
const guardSocket = join(IN_L1.run, 'guard.sock');

const ending = new AbortController();
/** During the start nothing has to be closed: the next start finds what it has begun. */
let end = (): Promise<void> => process.exit(70);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());

// Without its guard the kernel can do nothing, and no supervisor is left to end it.
untilGuardGone({ socketPath: guardSocket, signal: ending.signal }).then(
  () => {
    say('the runtime guard is gone: the kernel ends');
    setTimeout(() => process.exit(70), SHUT_DOWN_MS).unref();
    void end();
  },
  () => undefined,
);

const { database, recovery, unchecked } = openDatabase({
  path: join(IN_L1.state, 'fluffy.db'),
  backups: join(IN_L1.state, 'backups'),
  clock,
});
const audit = new SqliteAuditLog(database, clock);
const anchors = new AnchorClient(guardSocket, chainSlice(database.connection, 'audit'));
if (recovery !== null) audit.append(recoveryEntry(recovery));
const chains = (
  [
    ['audit', AUDIT_CHAIN],
    ['transitions', TRANSITION_CHAIN],
  ] as const
).map(([table, chain]) => {
  const read = chainSlice(database.connection, table);
  return { table, chain, read, entries: chainLength(database.connection, table) };
});
for (const { table, chain, read, entries } of chains) {
  const fault = checkEnd(chain, read, entries);
  if (fault !== null) audit.append(chainBreakEntry(table, fault));
}
const store = new SqliteSessionStore(database, clock);
const log = new SqliteOperationLog(database, clock, random);
const policySources = {
  shippedFile: POLICY_FILE,
  projectRoot: options.project_root,
  locations: options.locations,
  isSigned: (sha256: string) => signedPolicyThrough(guardSocket, sha256),
};
const { policy, warnings } = await openPolicy(policySources);
const holder = new PolicyHolder(policy);
audit.append(kernelEntry('kernel_start', packageJson.version, { policy: policy.hash, ...projectImage(options) }));
for (const { file, line, column, message } of warnings) say(`${file}:${line}:${column}: ${message}`);

await recoverStaging(IN_L1.state);
const slots = createSlotPool({ stateDir: IN_L1.state, size: SLOTS, random });
const layers = await openLayerStore({ stateDir: IN_L1.state, random, python: ownPrograms(options).python });
const memory = await createProjectMemory(clock);
const workspaces = new SessionWorkspaces({
  stateDir: IN_L1.state,
  random,
  open: (session) =>
    createWorkspace({
      projectRoot: options.project_root,
      stateDir: IN_L1.state,
      session,
      slots,
      clock,
      random,
      ripgrepPath: RIPGREP,
      memory,
      ...(options.linked === undefined ? {} : { linked: options.linked }),
      layers,
    }),
});

const space = { stateDir: IN_L1.state, minFreeBytes: MIN_FREE_BYTES };
const isDiskFull = (): Promise<boolean> => isShortOfSpace(space);
const sandboxes = new SandboxManager({
  runtime: new DockerRuntime({ socketPath: guardSocket }),
  directories: createSandboxDirectories({ stateDir: IN_L1.state, runDir: IN_L1.run }),
  admission: new Scheduler({
    limits: {
      ...DEFAULT_LIMITS,
      ...policy.scheduler,
      perTemplate: { ...DEFAULT_LIMITS.perTemplate, ...policy.scheduler.perTemplate },
    },
    clock,
    memoryUsage: () => process.memoryUsage().rss / options.memory_limit_bytes,
  }),
  clock,
  random,
  identity: {
    uid: options.uid,
    gid: options.gid,
    projectRoot: options.project_root,
    borrowedObjects: options.linked === undefined ? null : gitFile(options.linked, 'objects'),
    limits: templateLimits(options.sandbox_limits),
  },
  kernelVersion: packageJson.version,
  ...sandboxRecords(audit),
  timing: DEFAULT_TIMING,
  slotUsage: createSlotUsage({ ...space, maxBytes: 1024 * MIB, maxEntries: 100_000 }),
  layersOf: (slot) => slots.layersOf(slot),
  keepLayer: (sandbox, layer) => layers.keep(join(IN_L1.state, 'out', sandbox, PACKAGE_TREE), layer),
  freeBytes: () => freeBytes(IN_L1.state),
  isDiskFull,
  hasProjectImage: options.project_image !== undefined,
});
const extensions = new ExtensionRunner({
  sandboxes,
  clock,
  onFailure: (why, nextTryMs) => say(`policy extensions failed (${why}); restarted in ${nextTryMs} ms`),
});
const target = mergeInPlace(
  openMergeTarget({
    root: options.project_root,
    git,
    state: IN_L1.state,
    owner: { uid: options.uid, gid: options.gid },
    umask: 0o022,
  }),
  () => placeThrough(guardSocket),
);

const digestKey = randomBytes(32);
const services: Services = {
  options,
  clock,
  random,
  audit,
  policy: () => holder.current(),
  extensions,
  capabilities: new CapabilityStore(() => random.id('cap', 24)),
  sandboxes,
  workspaces,
  tools: () => TOOLS,
  stripTypes,
  parseSyntax: syntaxParser(() => clock.monotonicMs()),
  commits: new RepositoryCommits({
    openRepository: () => openRepository(git),
    target,
    log,
    objects: openPreparedObjects(IN_L1.state),
    sandboxes,
    audit,
    attest: async (request) => {
      await anchors.show(request.audit.entries);
      return attestThrough(guardSocket, request);
    },
    clock,
    policy: () => holder.current(),
    images: options.images,
  }),
  humans: new HumanDecisions(),
  digestOf: (text) => digestOriginal(digestKey, text),
  addSpending: (used) => addSpendingThrough(guardSocket, used),
  isDiskFull,
  anchor: async () => {
    const unsigned = await whyUnsigned();
    if (unsigned !== null) say(unsigned.why);
  },
};
const unsigned = await whyUnsigned();
const notices = startNotices({ recovery, unsigned });
const lost = lostDatabase({ unsigned, sessions: store.list().length });
const sessions = new SessionManager(services, store, describeFault, notices, lost);
const policies = new PolicyUpdates({
  holder,
  stamp: () => policyStamp(policySources),
  open: () => openPolicy(policySources),
  readText: () => readProjectText(options.project_root),
  tryText: (text) => tryPolicy(policySources, text),
  audit,
  random,
  onReplaced: (change) => {
    extensions.follow(holder.current().extensions);
    sessions.notify(policyNotice(change));
  },
});
await recoverAll({ services, sessions, store, log, target, onFault: (error) => say(String(error)) });
extensions.follow(policy.extensions);
await services.anchor();

const listener = await servePeers(join(IN_L1.run, 'cli.sock'), {
  mode: 0o600,
  kernelVersion: packageJson.version,
  maxConnections: 32,
  onPeer: (peer) => serveCli(peer, sessions, policies),
});

end = shutDown;

const checkPause = () => (sessions.activeRuns === 0 ? setImmediate() : clock.sleep(CHECK_PAUSE_MS));
const checks = {
  chains,
  findDamage: unchecked
    ? (signal: AbortSignal) => findDamagedRow(database.connection, { pause: checkPause, signal })
    : null,
  pause: checkPause,
  append: (entry: AuditInput) => void audit.append(entry),
  notify: (notice: Notice) => sessions.notifyAlways(notice),
  trust: () => database.trust(),
  distrust: () => database.distrust(),
};
clock
  .sleep(CHECK_AFTER_MS, ending.signal)
  .catch(() => undefined)
  .then(() => checkDatabase(checks, ending.signal))
  .catch(describeFault);
const backups = new IdleBackups({
  clock,
  isIdle: () => sessions.activeRuns === 0,
  writes: () => database.writes,
  backUp: () => backUp(database, join(IN_L1.state, 'backups'), clock),
  onFault: describeFault,
});
void backups.run(ending.signal);

const retention = new Retention({
  clock,
  isIdle: () => sessions.activeRuns === 0,
  settings: () => holder.current().audit,
  log: openAuditStorage(database, join(IN_L1.state, 'archives')),
  append: (entry) => void audit.append(entry),
  notify: (notice) => sessions.notify(notice),
  sessions: () => store.list(),
  archiveSession: (row) => sessions.archive(row.id),
  onFault: describeFault,
});
void retention.run(ending.signal);

async function shutDown(): Promise<void> {
  ending.abort();
  await listener.close();
  await sessions.close();
  await extensions.close();
  await sandboxes.closeAll();
  await workspaces.closeAll();
  audit.append(kernelEntry('kernel_shutdown', ''));
  await services.anchor();
  database.close();
  process.exit(0);
}

/** Has the host sign the head of the audit log. Returns why it did not, or null. */
async function whyUnsigned(): Promise<Unsigned | null> {
  const { entries, hash } = audit.head();
  return anchors.anchor({ entries, head: hash as Sha256 }).then(
    () => null,
    (error: unknown) => ({
      why: messageOf(error),
      otherLog: error instanceof LogNotFollowed,
    }),
  );
}

/** Writes an unforeseen exception to the supervisor's log. */
function describeFault(error: unknown): void {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
