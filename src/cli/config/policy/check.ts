import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { checkExtensions } from './check-extensions.ts';
import { diagnosticsJson, renderDiagnostics } from './diagnostics.ts';
import { policyOf } from './policy-source.ts';
import type { FoundPolicy, PolicySource } from './policy-source.ts';
import { writeAll } from './write-all.ts';

export interface CheckOptions {
  readonly source: PolicySource;
  readonly json: boolean;
  readonly stdout: Writable;
}

/** Extensions are beside the file that names them, which is the last one: the project's policy, or the requested file. */
async function extensionErrors({ policy, files }: Extract<FoundPolicy, { kind: 'ok' }>) {
  return checkExtensions(policy, dirname(files.at(-1)?.file ?? ''));
}

/** `fluffy config policy check [FILE]`: errors and warnings with their positions; exit 2 if there is an error. JSON: `diagnosticsJson`. */
export async function check({ source, json, stdout }: CheckOptions): Promise<ExitCode> {
  const inForce = await policyOf(source);
  const errors = inForce.kind === 'invalid' ? inForce.errors : await extensionErrors(inForce);
  const { warnings } = inForce;
  const valid = errors.length === 0;
  const summary = valid
    ? `The policy is valid${warnings.length > 0 ? `, with ${warnings.length} warning(s)` : ''}.\n`
    : '';
  const text = json ? diagnosticsJson(errors, warnings) : `${renderDiagnostics([...errors, ...warnings])}${summary}`;
  await writeAll(stdout, text);
  return valid ? EXIT.done : EXIT.usage;
}
