import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { KernelClient } from '../../../src/cli/kernel-client/kernel-client.ts';
import type { connectKernel } from '../../../src/cli/connect-kernel.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { ModelEvent } from '../../../src/contracts/model/model.ts';
import { RpcFailure } from '../../../src/ipc/index.ts';
import {
  approvalInvalid,
  reviewBlocked,
  reviewNotFound,
  editRefused,
} from '../../../src/kernel/serve/session-refusals.ts';
import { reviewDigest } from '../../../src/lib/review-digest.ts';
import { approvalKey, protectApprovalKey } from '../../../src/host/signer/index.ts';
import { SESSION_ID } from '../../support/kernel/test-kernel.ts';
import { STRAIGHT } from '../../support/job/parse-config-turns.ts';
import type { ModelScript } from '../../support/kernel/scripted-model.ts';
import { turn } from '../../support/wire/script.ts';
import { FakeKernel } from '../kernel-client/fake-kernel.ts';
import type { Script } from '../kernel-client/fake-kernel.ts';
import type { ErrorBench, Provocations, Provoke } from './bench.ts';

const running =
  (script: ModelScript): Provoke =>
  async (bench) => {
    const scene = await bench.served();
    scene.begin(script);
    return scene.run(['-p', 'Add error handling']);
  };

const done = (stop: Extract<ModelEvent, { type: 'done' }>['stop']): ModelEvent => ({ type: 'done', stop });

/** A session whose review waits. */
async function waiting(bench: ErrorBench) {
  const scene = await bench.served();
  scene.begin(STRAIGHT);
  const { code } = await scene.run(['-p', 'Add error handling', '--approve', 'ask']);
  if (code !== 4) throw new Error(`no review waits: ${code}`);
  return scene;
}

/** A review, decided by a command line on a kernel that answers by a script. */
async function deciding(bench: ErrorBench, args: readonly string[], script: Script) {
  const kernel = await FakeKernel.start(script);
  bench.later(() => kernel.remove());
  const connect: typeof connectKernel = async (_opened, { onEvent }) => {
    const givenUp = new Promise<never>(() => undefined);
    const { socket } = kernel;
    const client = await KernelClient.connect({ socket, onEvent, onReconnect: () => undefined, givenUp });
    return { client, givenUp, close: () => client.close() };
  };
  return bench.cli([...args, '--project', bench.project().root], {}, connect);
}

const REVIEW = {
  session_id: SESSION_ID,
  review_id: 'r_review0001',
  kind: 'merge',
  risk: 'low',
  reasons: [],
  base: 'a'.repeat(40),
  message: 'Change a',
  diff: '+new\n',
  sha256: '0'.repeat(64),
} as const;

const { session_id, base, message, diff } = REVIEW;
const SOUND = { ...REVIEW, sha256: reviewDigest({ session_id, base, message, diff }) };

/** SQL that makes every later insert into the table fail, as a full disk does. */
const refuseInserts = (table: string): string =>
  `CREATE TEMP TRIGGER refuse BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'the test says so'); END`;

/** What happens in a run, or when a review is decided. */
export const RUN_ERRORS: Provocations = {
  approval_invalid: (bench) =>
    deciding(bench, ['review', '--approve'], ({ method }) => {
      if (method === 'review.get') return { review: SOUND };
      throw approvalInvalid();
    }),
  audit_write_failed: async (bench) => {
    const scene = await bench.served({ sql: refuseInserts('audit') });
    scene.begin(STRAIGHT);
    return scene.run(['-p', 'Add error handling']);
  },
  kernel_lost: (bench) =>
    deciding(bench, ['review', '--reject', 'no'], async ({ method }, kernel) => {
      if (method === 'review.get') return { review: REVIEW };
      return kernel.dieAndComeBack();
    }),
  kernel_refused: (bench) =>
    deciding(bench, ['review'], () => {
      throw RpcFailure.refused('novel', 'a reason without sentences');
    }),
  model_cut_off: running(() => [{ type: 'text_delta', text: 'and' }, done('max_tokens')]),
  model_empty_answer: running(() => [done('end_turn')]),
  model_refused: running([[{ type: 'text_delta', text: 'I will not.' }, done('refusal')]]),
  nothing_to_review: async (bench) => (await bench.served()).cli(['review']),
  passphrase_needed: async (bench) => {
    const scene = await waiting(bench);
    await seal(userDirs(scene.env));
    return scene.cli(['review', '--approve']);
  },
  passphrase_wrong: async (bench) => {
    const scene = await waiting(bench);
    await seal(userDirs(scene.env));
    vi.stubEnv('FLUFFY_PASSPHRASE', 'wrong');
    bench.later(() => vi.unstubAllEnvs());
    return scene.cli(['review', '--approve']);
  },
  provider_failed: running([[{ type: 'failed', code: 'auth', message: 'said the provider', retryable: false }]]),
  repository_not_ready: async (bench) => {
    const scene = await bench.served({
      commits: { base: () => Promise.resolve({ kind: 'problem', reason: 'a rebase is in progress' }) },
    });
    scene.begin([turn({ text: 'Yes.' })]);
    return scene.run(['-p', 'x']);
  },
  edit_refused: (bench) =>
    deciding(bench, ['review', '--reject', 'x'], ({ method }) => {
      if (method === 'review.get') return { review: SOUND };
      throw editRefused('test/a.test.js is a test, and tests are frozen since the source was opened');
    }),
  review_blocked: (bench) =>
    deciding(bench, ['review', '--approve'], ({ method }) => {
      if (method === 'review.get') return { review: SOUND };
      throw reviewBlocked('HEAD is no longer on refs/heads/main', SOUND.session_id);
    }),
  tests_cannot_follow: (bench) => deciding(bench, ['review', '--add-tests'], () => ({ review: REVIEW })),
  review_mismatch: (bench) => deciding(bench, ['review', '--approve'], () => ({ review: REVIEW })),
  review_not_found: (bench) =>
    deciding(bench, ['review', '--approve'], ({ method }) => {
      if (method === 'review.get') return { review: SOUND };
      throw reviewNotFound(SOUND.review_id);
    }),
  session_busy: async (bench) => {
    const scene = await bench.served();
    scene.begin(() => ({ kind: 'silence' }));
    const held = scene.start(['-p', 'x']);
    const started = await held.until(({ type }) => type === 'message.user');
    const undone = await scene.cli(['session', 'undo', started.session_id ?? '']);
    held.signal('interrupt');
    await held.result;
    return undone;
  },
  session_not_found: async (bench) => (await bench.served()).run(['-r', 's_nothing', '-p', 'x']),
  session_write_failed: async (bench) => {
    const scene = await bench.served({ sql: refuseInserts('sessions') });
    return scene.run(['-p', 'x']);
  },
  signing_key_damaged: async (bench) => {
    const scene = await waiting(bench);
    const dirs = userDirs(scene.env);
    await approvalKey(dirs, () => Promise.resolve(null));
    writeFileSync(join(dirs.trust, 'approval.key'), 'garbage', { mode: 0o600 });
    return scene.cli(['review', '--approve']);
  },
};

async function seal(dirs: Parameters<typeof protectApprovalKey>[0]): Promise<void> {
  await protectApprovalKey(dirs, () => Promise.resolve(null), 'correct horse');
}
