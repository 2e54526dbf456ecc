import type { PolicyDecision } from '../../contracts/policy.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import { toolNamed } from '../../contracts/tools.ts';
import { unmetConstraints } from '../policy/index.ts';
import type { ConstraintFacts } from '../policy/index.ts';

/** Under undefined for a call that names no path. */
export type DecisionsByPath = ReadonlyMap<string | undefined, PolicyDecision>;

/** Why a file must not come to have so many bytes; null if it may. */
export type SizeCheck = (path: string, sizeBytes: number) => string | null;

/** `template`: null for what the kernel does by itself. */
export interface CallFacts extends ConstraintFacts {
  readonly template: 'code-executor' | null;
  readonly hasToken: boolean;
  readonly sizeBytes: number;
}

/** What a call is carried out with. How large the files become that it changes is known of `fs.write` alone, of the others when it is done. */
export function factsOf(call: ParsedCall): CallFacts {
  const { place, effect } = toolNamed(call.tool) ?? { place: 'kernel', effect: 'read' };
  return {
    template: place === 'kernel' ? null : 'code-executor',
    hasToken: (place === 'patch' || place === 'overlay') && effect !== 'workflow',
    sizeBytes: call.tool === 'fs.write' ? Buffer.byteLength(call.input.content) : 0,
  };
}

/** Holds what a call writes to what the decisions about its paths were tied to. */
export function sizeCheckOf(call: ParsedCall, decisions: DecisionsByPath): SizeCheck {
  return (path, sizeBytes) => {
    const decision = decisions.get(path);
    if (decision === undefined) return `policy was not asked about ${path}`;
    const unmet = unmetConstraints(decision.constraints, { ...factsOf(call), sizeBytes });
    return unmet.length === 0 ? null : `${path}: ${unmet.join('; ')}`;
  };
}
