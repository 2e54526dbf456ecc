import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import { PROJECT_POLICY, sha256Of } from '../../../kernel/policy-source/read-policy-text.ts';
import { messageOf } from '../../../lib/text/message-of.ts';
import { placePolicy } from './place-policy.ts';
import type { PolicyBase, ProposedUpdate, TakenUp } from './propose-update.ts';
import { distrustPolicy, trustPolicy } from './trust-store.ts';

export interface PutInForceOptions {
  readonly projectRoot: string;
  readonly trustDirectory: string;
  readonly base: PolicyBase;
  readonly text: string;
  readonly update: Pick<ProposedUpdate, 'takeUp'>;
  /** When it resolves, the kernel is no longer awaited. */
  readonly ended: Promise<unknown>;
}

export type PutInForce =
  | { readonly kind: 'conflict' }
  | {
      readonly kind: 'placed';
      readonly changed: TakenUp;
      readonly takenBack: string | null;
      readonly lines: readonly string[];
    };

/**
 * Signs an approved text, replaces its base with it, and revokes the signature of the base, so that restoring the old file does not give it full
 * effect again. In this order: a signature without its file has no effect, and the policy in force is signed at every moment.
 */
export async function putInForce(options: PutInForceOptions): Promise<PutInForce> {
  const { projectRoot, trustDirectory, base, text, update } = options;
  const hash = sha256Of(text);
  const fresh = await trustPolicy(trustDirectory, hash, projectRoot);
  const unsign = () => (fresh ? distrustPolicy(trustDirectory, hash, projectRoot) : null);
  const placed = await placePolicy({ projectRoot, base, text }).catch(async (error: unknown) => {
    await unsign();
    throw error;
  });
  if (placed === 'conflict') {
    await unsign();
    return { kind: 'conflict' };
  }
  const before = await takeBack({ trustDirectory, projectRoot }, base?.sha256 ?? hash, hash);
  const changed = await Promise.race([update.takeUp(), options.ended.then(() => 'not-yet' as const)]);
  const lines = [`${PROJECT_POLICY} is in place and signed. ${WHEN[changed]}`, ...before.lines];
  return { kind: 'placed', changed, takenBack: before.takenBack, lines };
}

const WHEN: Readonly<Record<TakenUp, string>> = {
  now: 'The running kernel decides by it from now on; calls under way finish by the old one.',
  'not-yet': 'The running kernel has not taken it up yet; it looks again before its next message.',
  'kernel-lost': 'The kernel ended before it loaded the policy; the next kernel uses it.',
  'next-start': 'No kernel runs for this project; the next one decides by it.',
};

interface TakenBack {
  readonly takenBack: string | null;
  readonly lines: readonly string[];
}

/** Never rejects: the new policy is in force, and a rejection would look like a failure. */
async function takeBack(
  { trustDirectory, projectRoot }: Pick<PutInForceOptions, 'trustDirectory' | 'projectRoot'>,
  old: string,
  now: string,
): Promise<TakenBack> {
  if (old === now) return { takenBack: null, lines: [] };
  try {
    const wasSigned = await distrustPolicy(trustDirectory, old, projectRoot);
    if (!wasSigned) return { takenBack: null, lines: [] };
    return { takenBack: old, lines: ['The signature of the replaced text was removed.'] };
  } catch (error) {
    const why = messageOf(error);
    const file = `${trustDirectory}/policies/${old}`;
    return {
      takenBack: null,
      lines: [escapeTerminal(`The text that it replaces is still signed (${why}): remove ${file}`)],
    };
  }
}
