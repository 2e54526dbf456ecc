import { isDeepStrictEqual } from 'node:util';
import type { CompiledPolicy } from '../compiled-policy.ts';
import { describePolicy } from '../describe-policy.ts';

/** A value of a described policy: plain data. */
type Plain = Readonly<Record<string, unknown>>;

/**
 * What the old policy has and the new one lacks or has differently, one line each: removed or changed rules, values
 * removed from lists, changed numbers. Additions are not losses; the effect of added rules shows in the changed
 * answers.
 */
export function policyLosses(before: CompiledPolicy, after: CompiledPolicy): readonly string[] {
  const { capabilities: rules, builtin: _builtin, ...sections } = describePolicy(before) as Plain & Described;
  const { capabilities: newRules, builtin: _newBuiltin, ...newSections } = describePolicy(after) as Plain & Described;
  return [...ruleLosses(rules, newRules), ...valueLosses(sections, newSections, '')];
}

interface Described {
  readonly capabilities: readonly (Plain & { readonly name: string; readonly action: string })[];
}

function ruleLosses(before: Described['capabilities'], after: Described['capabilities']): string[] {
  const byName = new Map(after.map((rule) => [rule.name, rule]));
  return before.flatMap((rule) => {
    const now = byName.get(rule.name);
    if (now === undefined) return [`rule "${rule.name}" (${rule.action}) is removed`];
    if (isDeepStrictEqual(rule, now)) return [];
    return [`rule "${rule.name}" is another one: ${rule.action} -> ${now.action}`];
  });
}

function valueLosses(before: unknown, after: unknown, path: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before)) {
    const kept = new Set((Array.isArray(after) ? after : []).map((value) => JSON.stringify(value)));
    const lost = before.map((value: unknown) => JSON.stringify(value)).filter((value) => !kept.has(value));
    return lost.length === 0 ? [] : [`${path} loses ${lost.join(', ')}`];
  }
  if (typeof before === 'object' && before !== null) {
    const now = (typeof after === 'object' && after !== null ? after : {}) as Plain;
    return Object.entries(before).flatMap(([key, value]) =>
      valueLosses(value, now[key], path === '' ? key : `${path}.${key}`),
    );
  }
  return [`${path}: ${String(before)} -> ${String(after)}`];
}
