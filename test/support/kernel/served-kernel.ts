import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProjectDirs } from '../../../src/contracts/host-layout.ts';
import type { ProviderSandbox } from '../../../src/contracts/ports/sandboxes.ts';
import type { SessionId } from '../../../src/contracts/ids.ts';
import { servePeers } from '../../../src/ipc/index.ts';
import { PolicyHolder } from '../../../src/kernel/policy/index.ts';
import { serveCli } from '../../../src/kernel/serve/cli-server.ts';
import { PolicyUpdates } from '../../../src/kernel/serve/policy-updates.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import type { Commits, Services } from '../../../src/kernel/services.ts';
import type { Session } from '../../../src/kernel/session/session.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import type { JobProject } from '../job/job-project.ts';
import type { FakeTestRunner } from './fake-sandboxes.ts';
import type { Files } from './file-tree.ts';
import { MemoryWorkspace } from './memory-workspace.ts';
import { shippedPolicy } from './policies.ts';
import { ScriptedModel } from './scripted-model.ts';
import { testKernel } from './test-kernel.ts';

export interface ServedKernel {
  readonly socket: string;
  readonly model: ScriptedModel;
  /** What nobody foresaw. */
  readonly faults: readonly unknown[];
  /** Drops what sessions have staged, and takes these files for the project's. */
  restart(files: Files): void;
  close(): Promise<void>;
}

export interface ServedKernelParts {
  readonly project: Pick<JobProject, 'root' | 'git'>;
  readonly dirs: ProjectDirs;
  readonly files: Files;
  readonly runTests: FakeTestRunner;
  readonly commits?: Partial<Commits>;
  /** In the place of the scripted model. */
  readonly chat?: ProviderSandbox['chat'];
  /** Run on the database once it is open. */
  readonly sql?: string;
}

/**
 * A kernel in this process that a command line can connect to: its sessions, its protocol and its database are the real ones. Workspaces, sandboxes and
 * the model are in memory. A commit is made by git in the project.
 */
export async function serveKernel(parts: ServedKernelParts): Promise<ServedKernel> {
  const { project, dirs } = parts;
  for (const directory of [dirs.host, dirs.kernel]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { database } = openDatabase({
    path: dirs.database,
    backups: join(dirname(dirs.database), 'backups'),
    clock: systemClock,
  });
  const audit = new SqliteAuditLog(database, systemClock);
  const store = new SqliteSessionStore(database, systemClock);
  const model = new ScriptedModel();
  const workspaces = new Map<string, MemoryWorkspace>();
  let files = parts.files;
  const { services: fake, sandboxes, workspace } = testKernel({ files });
  const { slots } = workspace;
  sandboxes.runTests = parts.runTests;
  if (parts.chat === undefined) sandboxes.provider = model.provider;
  else sandboxes.chat = parts.chat;
  const open = (session: string): MemoryWorkspace => {
    const opened = workspaces.get(session) ?? new MemoryWorkspace(files, { slots });
    workspaces.set(session, opened);
    return opened;
  };
  const services: Services = {
    ...fake,
    options: { ...fake.options, project_root: project.root, provider_hosts: { anthropic: ['api.anthropic.com'] } },
    clock: systemClock,
    random: systemRandom,
    audit,
    workspaces: {
      open: (session) => Promise.resolve(open(session)),
      remove: (session) => open(session).reset(),
      scratch: () =>
        Promise.resolve({
          id: 's_scratch001' as SessionId,
          workspace: new MemoryWorkspace(files, { slots }),
          close: () => Promise.resolve(),
        }),
    },
    commits: { ...gitCommits(project, (session) => open(session.id)), ...parts.commits },
  };
  if (parts.sql !== undefined) database.connection.exec(parts.sql);
  const faults: unknown[] = [];
  const sessions = new SessionManager(services, store, (error) => faults.push(error));
  const policies = new PolicyUpdates({
    holder: new PolicyHolder(shippedPolicy()),
    stamp: () => Promise.resolve('as it ships'),
    open: () => Promise.resolve({ policy: shippedPolicy(), warnings: [], project: null }),
    readText: () => Promise.resolve(null),
    tryText: () => Promise.reject(new Error('the test changes no policy')),
    audit,
    random: systemRandom,
    onReplaced: () => undefined,
  });
  const socket = join(dirs.kernel, 'cli.sock');
  const listener = await servePeers(socket, {
    mode: 0o600,
    kernelVersion: '0.0.0',
    maxConnections: 8,
    onPeer: (peer) => serveCli(peer, sessions, policies),
  });
  return {
    socket,
    model,
    faults,
    restart: (now) => {
      files = now;
      workspaces.clear();
    },
    close: async () => {
      await listener.close();
      await sessions.close();
      database.close();
    },
  };
}

/** Commits what a session has staged with git as it is on this machine. */
function gitCommits(
  { root, git }: ServedKernelParts['project'],
  workspaceOf: (session: Session) => MemoryWorkspace,
): Commits {
  const head = () => git('rev-parse', 'HEAD').trim();
  return {
    base: () => Promise.resolve({ kind: 'ok', branch: 'main', head: head() }),
    recentSubjects: () => Promise.resolve([]),
    textOnHead: () => Promise.resolve(null),
    namesFilter: () => Promise.resolve(false),
    dirtyPaths: () => Promise.resolve([]),
    committable: () => Promise.resolve({ kind: 'refused', reason: 'the test has no uncommitted work' }),
    prepare: async (session, _workspace, message) => ({
      kind: 'prepared',
      message: `${message}\n`,
      diff: await workspaceOf(session).diff(),
      findings: [],
    }),
    obstacle: () => Promise.resolve(null),
    merge: async (session, { message }) => {
      const workspace = workspaceOf(session);
      for (const { path } of await workspace.changes()) {
        const text = workspace.text(path);
        if (text === null) throw new Error('the test deletes nothing');
        workspace.project.set(path, { text, executable: false });
        writeFileSync(join(root, path), text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
      return { kind: 'committed', commit: head() };
    },
    undo: () => Promise.resolve({ kind: 'unknown', reason: 'the test undoes nothing' }),
    redo: () => Promise.resolve({ kind: 'unknown', reason: 'the test undoes nothing' }),
  };
}
