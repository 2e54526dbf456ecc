import type { Writable } from 'node:stream';
import { policyQuerySchema } from '../../../../contracts/policy.ts';
import { EXIT } from '../../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../../contracts/exit-codes.ts';
import { unknownSyscall } from '../../../../kernel/policy/index.ts';
import { escapeTerminal } from '../../../../lib/text/escape-terminal.ts';
import { jsonLine } from '../../../../lib/json-line.ts';
import { diagnosticsJson, renderDiagnostics } from '../diagnostics.ts';
import { explainBatch } from './explain-batch.ts';
import { explainQuery, renderExplanation } from './explain-query.ts';
import { policyOf } from '../policy-source.ts';
import type { PolicySource } from '../policy-source.ts';
import { writeAll } from '../write-all.ts';

export interface ExplainOptions {
  readonly source: PolicySource;
  /** Makes absolute paths inside it relative; null outside of any project. */
  readonly projectRoot: string | null;
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** The arguments of the command line; checked here, so that a wrong value is named like a wrong field of a batch line. */
export interface ExplainArguments {
  readonly syscall: string;
  readonly path?: string | undefined;
  readonly host?: string | undefined;
  readonly state?: string | undefined;
  readonly mode?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly plugin?: string | undefined;
  readonly template?: string | undefined;
}

/**
 * `fluffy config policy explain`: exit 0 for every decision, 2 for an invalid policy (JSON: the output of `check --json`) or query. A syscall that no
 * shipped tool uses is decided like any other, with a warning.
 */
export async function explain(given: ExplainArguments, options: ExplainOptions): Promise<ExitCode> {
  const { stdout, stderr, json } = options;
  const inForce = await policyOf(options.source);
  if (inForce.kind === 'invalid') {
    await writeAll(stderr, renderDiagnostics([...inForce.errors, ...inForce.warnings]));
    if (json) await writeAll(stdout, diagnosticsJson(inForce.errors, inForce.warnings));
    return EXIT.usage;
  }
  const query = policyQuerySchema.safeParse(given);
  if (!query.success) {
    const problems = query.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}\n`);
    await writeAll(stderr, problems.join(''));
    return EXIT.usage;
  }
  const explanation = explainQuery(inForce.policy, query.data, options.projectRoot);
  const misspelt = unknownSyscall(query.data.syscall);
  const unknown = misspelt === null ? [] : [misspelt];
  if (json) {
    const warnings = [...(explanation.warnings ?? []), ...unknown];
    await writeAll(stdout, jsonLine({ ...explanation, ...(warnings.length > 0 ? { warnings } : {}) }));
    return EXIT.done;
  }
  await writeAll(stderr, renderDiagnostics(inForce.warnings));
  await writeAll(stderr, unknown.map((warning) => `warning: ${escapeTerminal(warning)}\n`).join(''));
  await writeAll(stdout, renderExplanation(explanation));
  return EXIT.done;
}

/** `fluffy config policy explain --batch`: one request a line on stdin, one answer a line on stdout. */
export async function explainStdin(stdin: AsyncIterable<Uint8Array>, options: ExplainOptions): Promise<ExitCode> {
  const inForce = await policyOf(options.source);
  if (inForce.kind === 'invalid') {
    await writeAll(options.stderr, renderDiagnostics([...inForce.errors, ...inForce.warnings]));
    return EXIT.usage;
  }
  await writeAll(options.stderr, renderDiagnostics(inForce.warnings));
  for await (const answers of explainBatch(inForce.policy, stdin, options.projectRoot))
    await writeAll(options.stdout, answers);
  return EXIT.done;
}
