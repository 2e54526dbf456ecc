import type { Writable } from 'node:stream';
import { EXIT } from '../../../../contracts/exit-codes.ts';
import { PROJECT_POLICY, readProjectPolicyText, sha256Of } from '../../../../kernel/policy-source/read-policy-text.ts';
import type { Draft } from './draft.ts';
import type { Over } from './edit-over.ts';
import { takesEffect } from './edit-report.ts';
import type { EditReport } from './edit-report.ts';
import type { EditOutcome } from './edit-report.ts';
import type { ProposedUpdate } from '../propose-update.ts';
import type { PutInForce } from '../put-in-force.ts';
import { signedHashes } from '../trust-store.ts';
import { writeAll } from '../write-all.ts';

export interface EndingOptions {
  readonly projectRoot: string;
  readonly trustDirectory: string;
  readonly stderr: Writable;
  /** Called once, at the end, whatever the outcome. */
  readonly report?: (report: EditReport) => Promise<void>;
}

/** Shows to the person, and reports as data, how an edit ended and where its text is stored. */
export function editEnding(options: EndingOptions, draft: Pick<Draft, 'discard' | 'keepIfChanged'> | null) {
  const say = (lines: readonly string[]) => writeAll(options.stderr, lines.map((line) => `${line}\n`).join(''));
  const report = async (ending: Partial<EditReport> & Pick<EditReport, 'outcome'>) => {
    if (options.report === undefined) return;
    const { outcome, ...others } = ending;
    await options.report({ outcome, ...NOTHING, ...(await inPlace(options)), ...others });
  };
  return {
    over: async (
      { outcome, exitCode, lines, update }: Over,
      found: Pick<Partial<EditReport>, 'errors' | 'warnings'> = {},
    ): Promise<EditOutcome> => {
      // SIGTERM may have ended only a shell around the editor, which may still be open.
      const kept = (await draft?.keepIfChanged(exitCode === EXIT.terminated)) ?? null;
      await say([...lines, ...(kept === null ? [] : [`What you wrote is kept in ${kept}`])]);
      await report({ outcome, draft: kept, ...shown(update), ...found });
      return { exitCode, changed: null };
    },
    inForce: async (
      { changed, takenBack, lines }: Extract<PutInForce, { kind: 'placed' }>,
      update: ProposedUpdate,
    ): Promise<EditOutcome> => {
      await draft?.discard();
      await say(lines);
      const effect = { takes_effect: takesEffect(changed), taken_back: takenBack };
      await report({ outcome: 'in_force', ...effect, ...shown(update) });
      return { exitCode: EXIT.done, changed };
    },
  };
}

const NOTHING = {
  file: PROJECT_POLICY,
  sha256: null,
  signed: false,
  takes_effect: null,
  breaking: 0,
  changes: [],
  taken_back: null,
  draft: null,
  errors: [],
  warnings: [],
} as const;

function shown(update: ProposedUpdate | undefined) {
  if (update === undefined) return {};
  const { breaking, changes, warnings } = update;
  return { breaking, changes, warnings };
}

async function inPlace({ projectRoot, trustDirectory }: EndingOptions): Promise<Pick<EditReport, 'sha256' | 'signed'>> {
  const found = await readProjectPolicyText(projectRoot);
  if (found.kind !== 'text') return { sha256: null, signed: false };
  const sha256 = sha256Of(found.text);
  // An unreadable record counts as no signature. The fault is reported where it prevents something.
  const trusted = await signedHashes(trustDirectory, projectRoot).catch(() => new Set());
  return { sha256, signed: trusted.has(sha256) };
}
