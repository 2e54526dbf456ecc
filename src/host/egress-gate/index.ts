export { attemptLog } from './attempt-log.ts';
export type { EgressEvent } from './egress-event.ts';
export type { HostRule, HostRuleResult } from './host-rule.ts';
export { parseHostRule } from './host-rule.ts';
export type { EgressGate, EgressGateOptions } from './open-egress-gate.ts';
export { openEgressGate } from './open-egress-gate.ts';
