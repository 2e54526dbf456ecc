import type { Writable } from 'node:stream';
import { policyQuerySchema } from '../../../contracts/policy.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { explainBatch } from './explain-batch.ts';
import { explainQuery, renderExplanation } from './explain-query.ts';
import { policyInForce } from './policy-source.ts';
import type { PolicySource } from './policy-source.ts';
import { writeAll } from './write-all.ts';

export interface ExplainOptions {
  readonly source: PolicySource;
  /** Makes absolute paths inside it relative; null outside of any project. */
  readonly projectRoot: string | null;
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What the command line said; checked here, so that a wrong value is named like a wrong field of a batch line. */
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

/** `fluffy config policy explain`: exit 0 whatever the decision is, 2 for an invalid policy or query. */
export async function explain(given: ExplainArguments, options: ExplainOptions): Promise<ExitCode> {
  const { stdout, stderr } = options;
  const inForce = await policyInForce(options.source);
  if (inForce.kind === 'invalid') {
    await writeAll(stderr, renderDiagnostics([...inForce.errors, ...inForce.warnings]));
    return EXIT.usage;
  }
  const query = policyQuerySchema.safeParse(given);
  if (!query.success) {
    const problems = query.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}\n`);
    await writeAll(stderr, problems.join(''));
    return EXIT.usage;
  }
  const explanation = explainQuery(inForce.policy, query.data, options.projectRoot);
  if (!options.json) await writeAll(stderr, renderDiagnostics(inForce.warnings));
  await writeAll(stdout, options.json ? `${JSON.stringify(explanation)}\n` : renderExplanation(explanation));
  return EXIT.done;
}

/** `fluffy config policy explain --batch`: one request a line on stdin, one answer a line on stdout. */
export async function explainStdin(stdin: AsyncIterable<Uint8Array>, options: ExplainOptions): Promise<ExitCode> {
  const inForce = await policyInForce(options.source);
  if (inForce.kind === 'invalid') {
    await writeAll(options.stderr, renderDiagnostics([...inForce.errors, ...inForce.warnings]));
    return EXIT.usage;
  }
  await writeAll(options.stderr, renderDiagnostics(inForce.warnings));
  for await (const answers of explainBatch(inForce.policy, stdin, options.projectRoot))
    await writeAll(options.stdout, answers);
  return EXIT.done;
}
