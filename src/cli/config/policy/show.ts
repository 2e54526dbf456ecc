import type { Writable } from 'node:stream';
import { stringify } from 'yaml';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { jsonLine } from '../../../lib/json-line.ts';
import { describePolicy } from '../../../kernel/policy/index.ts';
import { diagnosticsJson, renderDiagnostics } from './diagnostics.ts';
import { policyOf } from './policy-source.ts';
import type { PolicySource } from './policy-source.ts';
import { writeAll } from './write-all.ts';

export interface ShowOptions {
  readonly source: PolicySource;
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * `fluffy config policy show`: the policy in force, shipped and project's together, built-in rules first. Text is YAML with the rules in the form of
 * a policy file; JSON is `{"hash", "files": [{file, role, signed}], "policy": {…}}`, or the output of `check --json` for a policy that does not load.
 */
export async function show({ source, json, stdout, stderr }: ShowOptions): Promise<ExitCode> {
  const inForce = await policyOf(source);
  await writeAll(stderr, renderDiagnostics(inForce.warnings));
  if (inForce.kind === 'invalid') {
    await writeAll(stderr, renderDiagnostics(inForce.errors));
    if (json) await writeAll(stdout, diagnosticsJson(inForce.errors, inForce.warnings));
    return EXIT.usage;
  }
  const { hash } = inForce.policy;
  const description = describePolicy(inForce.policy);
  const origin = inForce.files.map(
    ({ file, role, signed }) =>
      `# ${role}: ${file}${role === 'project' ? (signed ? ' (signed)' : ' (unsigned: it can only narrow)') : ''}\n`,
  );
  const text = json
    ? jsonLine({ hash, files: inForce.files, policy: description })
    : `# policy ${hash}\n${origin.join('')}${stringify(description, { lineWidth: 0, aliasDuplicateObjects: false })}`;
  await writeAll(stdout, text);
  return EXIT.done;
}
