import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { SessionId } from '../../src/contracts/ids.ts';
import { digestOriginal } from '../../src/kernel/audit/summarise.ts';
import type { CallContext, CallReply } from '../../src/kernel/call/call.ts';
import { receiveCalls, runCalls } from '../../src/kernel/call/run-calls.ts';
import { loadPolicy } from '../../src/kernel/policy/index.ts';
import { Session } from '../../src/kernel/session/session.ts';
import { newSnapshot } from '../../src/kernel/session/snapshot.ts';
import { TOOLS } from '../../src/kernel/tools/registry.ts';
import { createSlotPool } from '../../src/platform/fs/slots.ts';
import { createWorkspace } from '../../src/platform/fs/workspace.ts';
import { SqliteAuditLog } from '../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../src/platform/sqlite/open-database.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { systemClock } from '../../src/platform/system/clock.ts';
import { systemRandom } from '../../src/platform/system/random.ts';

/** The kernel's reads in this process, through all stages of a call, under the shipped policy. */
export interface KernelReads {
  call(tool: string, input: object): Promise<CallReply>;
  /** Stages a new file, as an accepted write does. */
  stage(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const SESSION = 's_benchmark' as SessionId;

/** `project` is read, `state` is for the database and the staging layer. */
export async function openKernelReads(root: string, project: string, state: string): Promise<KernelReads> {
  await mkdir(state, { recursive: true });
  const clock = systemClock;
  const random = systemRandom;
  const loaded = loadPolicy(readFileSync(join(root, 'policy.yaml'), 'utf8'), 'policy.yaml');
  if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
  const { policy } = loaded;
  const { database } = openDatabase({ path: join(state, 'fluffy.db'), backups: join(state, 'backups'), clock });
  const slots = createSlotPool({ stateDir: state, size: 1, random });
  const workspace = await createWorkspace({
    projectRoot: project,
    stateDir: state,
    session: SESSION,
    slots,
    clock,
    random,
    ripgrepPath: rgPath,
  });
  const options = {
    mode: 'explore',
    model: 'replay/none',
    approve: 'never',
    limits: {},
    cwd: '',
    test_command: null,
    author: { name: 'Benchmark', email: 'benchmark@example.invalid' },
    interactive: false,
  } as const;
  const snapshot = newSnapshot(options, clock.nowMs());
  const row = {
    id: SESSION,
    title: '',
    created_ms: clock.nowMs(),
    updated_ms: clock.nowMs(),
    state: 'exploring',
    mode: 'explore',
    status: 'active',
    commits: [],
  } as const;
  const store = new SqliteSessionStore(database, clock);
  store.insert(row, snapshot);
  const session = new Session({ row, snapshot, messages: [], lastSeq: 0, store, clock });
  const digestKey = Buffer.alloc(32, 1);
  // What reads need of the services; they neither make sandboxes nor commits.
  const context = {
    services: {
      options: { project_root: project },
      clock,
      random,
      policy: () => policy,
      audit: new SqliteAuditLog(database, clock),
      tools: () => TOOLS,
      digestOf: (text: string) => digestOriginal(digestKey, text),
    },
    session,
    workspace,
    signal: new AbortController().signal,
  } as unknown as CallContext;
  let calls = 0;
  return {
    async call(tool, input) {
      calls += 1;
      const sent = { call_id: `c${calls}`, tool, arguments: JSON.stringify(input) };
      const [reply] = await runCalls(context, receiveCalls(TOOLS, [sent]));
      if (reply?.ok !== true) throw new Error(`${tool} failed: ${reply?.content ?? 'no reply'}`);
      return reply;
    },
    async stage(path, text) {
      const resolved = await workspace.resolve(path);
      if (resolved.kind !== 'ok') throw new Error(resolved.reason);
      const before = await workspace.stat(resolved.path);
      const staged = await workspace.stage(resolved.path, before, Buffer.from(text), false);
      if (staged.kind !== 'staged') throw new Error(`${path} could not be staged`);
    },
    async close() {
      await workspace.close();
      database.close();
    },
  };
}
