import type { Writable } from 'node:stream';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { jsonLine } from '../../../lib/json-line.ts';
import {
  PROJECT_POLICY,
  readError,
  readProjectPolicyText,
  sha256Of,
} from '../../../kernel/policy-source/read-policy-text.ts';
import { diagnosticsJson, renderDiagnostics } from './diagnostics.ts';
import { takesEffect } from './edit/edit-report.ts';
import type { TakenUp } from './propose-update.ts';
import { distrustPolicy, signedHashes } from './trust-store.ts';
import { writeAll } from './write-all.ts';

export interface DistrustOptions {
  readonly projectRoot: string;
  readonly trustDirectory: string;
  /** Every text that was ever signed as this project's policy, in addition to the present one. */
  readonly all: boolean;
  /** Makes a running kernel read the policy again; called only if a signature was removed. */
  readonly takeUp: () => Promise<TakenUp>;
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * `fluffy config policy distrust`: revokes signatures. The text in the file then counts like a stranger's policy: it can only narrow. A signature is
 * for this project, so other projects with the same text keep theirs. JSON is `{"file", "sha256", "signed": false, "taken_back": […],
 * "takes_effect"}`.
 */
export async function distrust(options: DistrustOptions): Promise<ExitCode> {
  const { projectRoot, trustDirectory, all, json, stdout, stderr } = options;
  const present = await readProjectPolicyText(projectRoot);
  if (present.kind === 'unreadable' && !all) {
    const errors = [readError(present)];
    await writeAll(stderr, renderDiagnostics(errors));
    if (json) await writeAll(stdout, diagnosticsJson(errors, []));
    return EXIT.usage;
  }
  const sha256 = present.kind === 'text' ? sha256Of(present.text) : null;
  const older = all ? await signedHashes(trustDirectory, projectRoot) : [];
  const takenBack: string[] = [];
  for (const hash of new Set([...(sha256 === null ? [] : [sha256]), ...older])) {
    if (await distrustPolicy(trustDirectory, hash, projectRoot)) takenBack.push(hash);
  }
  const taken = takenBack.length > 0 ? await options.takeUp() : null;
  const effect = taken === null ? null : takesEffect(taken);
  const text = json
    ? jsonLine({ file: PROJECT_POLICY, sha256, signed: false, taken_back: takenBack, takes_effect: effect })
    : `${inWords(takenBack, sha256)}${taken === null ? '' : ` ${WHEN[taken]}`}\n`;
  await writeAll(stdout, text);
  return EXIT.done;
}

function inWords(takenBack: readonly string[], present: string | null): string {
  if (takenBack.length === 0)
    return present === null
      ? `There is no ${PROJECT_POLICY}, and no signature to remove.`
      : `${PROJECT_POLICY} is not signed: there is no signature to remove.`;
  const many = takenBack.length === 1 ? '1 signature is' : `${takenBack.length} signatures are`;
  const now = present === null ? '' : ` ${PROJECT_POLICY} can only narrow from now on.`;
  return `${many} removed.${now}`;
}

const WHEN: Readonly<Record<TakenUp, string>> = {
  now: 'The running kernel goes by it already.',
  'not-yet': 'A running kernel goes by it from its next message on.',
  'kernel-lost': 'The next kernel goes by it.',
  'next-start': 'No kernel runs for this project; the next one goes by it.',
};
