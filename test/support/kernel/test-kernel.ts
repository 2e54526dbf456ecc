import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import type { SessionId } from '../../../src/contracts/ids.ts';
import type { KernelOptions } from '../../../src/contracts/kernel-options.ts';
import type { Random } from '../../../src/contracts/ports/random.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { SessionOptions, TestCommand } from '../../../src/contracts/session/session-protocol.ts';
import type { EditedFile } from '../../../src/contracts/session/review-requests.ts';
import type { SessionMode, SessionState } from '../../../src/contracts/session/workflow-states.ts';
import { withCollectedTests } from '../../../src/kernel/proof/run/collected-tests.ts';
import { CapabilityStore } from '../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';
import { BaselineRun } from '../../../src/kernel/proof/baseline-run.ts';
import { HumanDecisions } from '../../../src/kernel/review/human-decisions.ts';
import type { Commits, Services } from '../../../src/kernel/services.ts';
import { Session } from '../../../src/kernel/session/session.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';
import { syntaxParser } from '../../../src/platform/syntax/syntax-parser.ts';
import { stripTypes } from '../../../src/platform/system/strip-types.ts';
import { settle, standingClock } from '../standing-clock.ts';
import { FakeSandboxes } from './fake-sandboxes.ts';
import type { Files } from './file-tree.ts';
import { sha256Of } from './file-tree.ts';
import { MemoryAuditLog } from './memory-audit-log.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { MemoryWorkspace, Slots } from './memory-workspace.ts';
import { shippedPolicy } from './policies.ts';

export const SESSION_ID = 's_session001' as SessionId;

/** What a person answers to a review. */
export type Answer = 'approve' | { readonly reject: string; readonly edits?: readonly EditedFile[] };

export interface TestKernelOptions {
  readonly state?: SessionState;
  readonly mode?: SessionMode;
  /** The project's files, and those that the session has staged on them. */
  readonly files?: Files;
  readonly staged?: Files;
  /** Paths that git ignores. */
  readonly ignored?: readonly string[];
  /** Default: the shipped policy. A function is asked each time. */
  readonly policy?: CompiledPolicy | (() => CompiledPolicy);
  readonly testCommand?: TestCommand | null;
  readonly options?: Partial<SessionOptions>;
  readonly snapshot?: Partial<Snapshot>;
  readonly kernelOptions?: Partial<KernelOptions>;
  /** To each review; of a list, the last one stays. Default: nobody answers. */
  readonly answer?: Answer | readonly Answer[];
  readonly commits?: Partial<Commits>;
  /** In place of the workspace in memory, for tests about real files. */
  readonly workspace?: Workspace;
  readonly services?: Partial<Services>;
}

/** One session of a kernel whose every neighbour is a fake in memory. Nothing outside of the process is touched. */
export interface TestKernel {
  readonly services: Services;
  readonly session: Session;
  readonly workspace: MemoryWorkspace;
  readonly sandboxes: FakeSandboxes;
  readonly audit: MemoryAuditLog;
  readonly store: MemorySessionStore;
  /** Every event of the session since the kernel was made. */
  readonly events: readonly FluffyEvent[];
  eventsOf<T extends EventBody['type']>(type: T): readonly Extract<FluffyEvent, { type: T }>[];
  /** Second views of the project that are open. */
  readonly openScratches: () => number;
  readonly advance: (ms: number) => Promise<void>;
  /** What a call of the model is run with; `workspace` may be a real one. */
  readonly context: {
    readonly services: Services;
    readonly session: Session;
    readonly workspace: Workspace;
    readonly baseline: BaselineRun;
    readonly signal: AbortSignal;
  };
}

export function testKernel(options: TestKernelOptions = {}): TestKernel {
  const slots = new Slots();
  const workspace = new MemoryWorkspace(options.files, {
    slots,
    ...(options.staged === undefined ? {} : { staged: options.staged }),
    ...(options.ignored === undefined ? {} : { ignored: options.ignored }),
  });
  const { clock, advance } = standingClock();
  const audit = new MemoryAuditLog();
  const store = new MemorySessionStore();
  const sandboxes = new FakeSandboxes(slots);
  const session = sessionOf(options, store, clock);
  const events: FluffyEvent[] = [];
  session.subscribe((event) => events.push(event));
  const humans = new HumanDecisions();
  if (options.answer !== undefined) answerReviews(session, humans, options.answer);
  const random = sequentialRandom();
  const { policy = shippedPolicy() } = options;
  let openScratches = 0;
  const shared: Services = {
    options: { ...KERNEL_OPTIONS, ...options.kernelOptions },
    clock,
    random,
    audit,
    policy: typeof policy === 'function' ? policy : () => policy,
    extensions: { ask: () => Promise.resolve([]) },
    capabilities: new CapabilityStore(() => random.id('cap', 24)),
    sandboxes,
    workspaces: {
      open: () => Promise.resolve(options.workspace ?? workspace),
      remove: () => (options.workspace ?? workspace).reset(),
      scratch: () => {
        openScratches += 1;
        return Promise.resolve({
          id: 's_scratch001' as SessionId,
          workspace: new MemoryWorkspace(options.files, { slots }),
          close: () => Promise.resolve(void (openScratches -= 1)),
        });
      },
    },
    tools: () => TOOLS,
    stripTypes,
    parseSyntax: syntaxParser(() => clock.monotonicMs()),
    commits: {
      ...NO_COMMITS,
      textOnHead: (path) => Promise.resolve(workspace.project.get(path)?.text ?? null),
      ...options.commits,
    },
    humans,
    digestOf: (text) => `digest ${sha256Of(text)}`,
    isDiskFull: () => Promise.resolve(false),
    addSpending: () => Promise.resolve({ day: { tokens: 0, cost_usd: 0 }, project: { tokens: 0, cost_usd: 0 } }),
    anchor: () => Promise.resolve(),
    ...options.services,
  };
  const services = withCollectedTests(shared, session);
  return {
    services,
    session,
    workspace,
    sandboxes,
    audit,
    store,
    events,
    eventsOf: <T extends EventBody['type']>(type: T) =>
      events.filter((event): event is Extract<FluffyEvent, { type: T }> => event.type === type),
    openScratches: () => openScratches,
    advance,
    context: {
      services,
      session,
      workspace: options.workspace ?? workspace,
      baseline: new BaselineRun(),
      signal: new AbortController().signal,
    },
  };
}

const KERNEL_OPTIONS: KernelOptions = {
  project_root: '/project',
  project_id: 'p_project001',
  uid: 1000,
  gid: 1000,
  memory_limit_bytes: 1024 * 1024 * 1024,
  provider_hosts: {},
  images: {},
  locations: { bootstrap: [], kernel: [], audit: [], state: [], keys: [] },
};

const SESSION_OPTIONS: SessionOptions = {
  mode: 'strict',
  model: 'replay/x',
  approve: 'auto',
  limits: {},
  cwd: '',
  test_command: null,
  author: { name: 'Ada Example', email: 'ada@example.org' },
  interactive: true,
};

const NO_COMMITS: Commits = {
  base: () => Promise.resolve({ kind: 'ok', branch: 'main', head: '0'.repeat(40) }),
  recentSubjects: () => Promise.resolve([]),
  textOnHead: () => Promise.resolve(null),
  namesFilter: () => Promise.resolve(false),
  dirtyPaths: () => Promise.resolve([]),
  committable: () => Promise.resolve({ kind: 'refused', reason: 'the test has no repository' }),
  prepare: () => Promise.resolve({ kind: 'refused', reason: 'the test has no repository' }),
  obstacle: () => Promise.resolve(null),
  merge: () => Promise.resolve({ kind: 'failed', reason: 'the test has no repository' }),
  undo: () => Promise.resolve({ kind: 'unknown', reason: 'the test has no repository' }),
  redo: () => Promise.resolve({ kind: 'unknown', reason: 'the test has no repository' }),
};

function sessionOf(
  { state = 'code_writing', mode = 'strict', testCommand = null, options, snapshot }: TestKernelOptions,
  store: MemorySessionStore,
  clock: Services['clock'],
): Session {
  const row = {
    id: SESSION_ID,
    title: '',
    created_ms: 0,
    updated_ms: 0,
    state,
    mode,
    status: 'active',
    commits: [],
  } as const;
  const sessionOptions = { ...SESSION_OPTIONS, mode, test_command: testCommand, ...options };
  const whole = { ...newSnapshot(sessionOptions, 0), ...snapshot };
  store.insert(row, whole);
  return new Session({ row, snapshot: whole, messages: [], lastSeq: 0, store, clock });
}

/** Ids that count: `r_1`, `r_2`, … whatever their prefix. */
function sequentialRandom(): Random {
  let count = 0;
  const next = () => (count += 1);
  return {
    bytes: (length) => new Uint8Array(length).fill(next() % 256),
    id: (prefix) => `${prefix}_${next()}`,
  };
}

/** A person who answers every review as soon as somebody waits for it, with the last answer again and again. */
export function answerReviews(session: Session, humans: HumanDecisions, given: Answer | readonly Answer[]): void {
  const answers = [given].flat() as Answer[];
  session.subscribe((event) => {
    if (event.type !== 'review.requested') return;
    const { review_id: reviewId, sha256 } = event;
    const answer = answers.length > 1 ? (answers.shift() as Answer) : (answers[0] as Answer);
    void settle().then(() =>
      humans.decide(
        reviewId,
        session.id,
        answer === 'approve'
          ? { kind: 'approve', sha256, signature: 'signature', publicKey: 'key' }
          : { kind: 'reject', reason: answer.reject, edits: answer.edits },
      ),
    );
  });
}
