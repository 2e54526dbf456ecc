import type { AllowConstraints, PolicyDecision, PolicyQuery } from '../../../../contracts/policy.ts';
import {
  abstentions,
  askedExtensions,
  decide,
  lexicalTarget,
  needsExtensions,
} from '../../../../kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../../kernel/policy/index.ts';
import { escapeTerminal } from '../../../../lib/text/escape-terminal.ts';

/** The output of `config policy explain --json`. `constraints` and `warnings` are present only if there are any. */
export interface Explanation {
  readonly decision: PolicyDecision['decision'];
  readonly rules: PolicyDecision['rules'];
  readonly reasons: readonly string[];
  readonly constraints?: readonly AllowConstraints[];
  readonly warnings?: readonly string[];
}

/**
 * Decides a query like the kernel, except for two things that need a running kernel: links are not followed (the path counts as resolved), and
 * extensions are not run: they count as abstaining, and a warning names each that the kernel would ask.
 */
export function explainQuery(policy: CompiledPolicy, query: PolicyQuery, projectRoot: string | null): Explanation {
  const target = query.path === undefined ? null : lexicalTarget(query.path, projectRoot);
  if (target?.kind === 'refused') {
    const { reason } = target;
    return {
      decision: 'deny',
      rules: [{ name: 'normal-path', layer: 'builtin', action: 'deny', reason }],
      reasons: [reason],
    };
  }
  const path = target === null ? undefined : target.directory && target.path !== '' ? `${target.path}/` : target.path;
  const extensionResults = abstentions(policy);
  const request = { ...query, path };
  const decision = decide(policy, request, { nowMonotonicMs: 0, extensionResults });
  const asked = needsExtensions(policy, request, { nowMonotonicMs: 0 }) ? askedExtensions(policy, request) : [];
  const notRun = asked.map(
    ({ name }) =>
      `the kernel would also ask the extension "${name}", which is not run here and can change the decision`,
  );
  const warnings = [...decision.warnings, ...notRun];
  return {
    decision: decision.decision,
    rules: decision.rules,
    reasons: decision.reasons,
    ...(decision.constraints.length > 0 ? { constraints: decision.constraints } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** For people: the decision, each rule that matched, and the constraints of an allow. */
export function renderExplanation(explanation: Explanation): string {
  const lines: string[] = [explanation.decision.replace('_', ' ')];
  for (const reason of explanation.reasons) lines.push(`  because: ${reason}`);
  if (explanation.rules.length > 0) lines.push('rules that took part:');
  for (const { layer, name, action, reason } of explanation.rules) {
    lines.push(`  [${layer}] ${name}: ${action}${reason === undefined ? '' : ` - ${reason}`}`);
  }
  for (const constraints of explanation.constraints ?? [])
    lines.push(`provided that: ${renderConstraints(constraints)}`);
  for (const warning of explanation.warnings ?? []) lines.push(`warning: ${warning}`);
  return lines.map((line) => `${escapeTerminal(line)}\n`).join('');
}

function renderConstraints({ maxFileSizeBytes, requireSandbox, requireCapabilityToken }: AllowConstraints): string {
  return [
    ...(maxFileSizeBytes === undefined ? [] : [`the file has at most ${maxFileSizeBytes} bytes`]),
    ...(requireSandbox === undefined
      ? []
      : [requireSandbox === 'L2' ? 'it runs in a sandbox' : `it runs in the sandbox ${requireSandbox}`]),
    ...(requireCapabilityToken === true ? ['it is done with a capability token'] : []),
  ].join(', and ');
}
