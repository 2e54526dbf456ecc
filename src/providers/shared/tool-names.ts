import { createHash } from 'node:crypto';
import type { ToolSpec } from '../../contracts/model/model.ts';

/** Maps tool names: vendors accept letters, digits, underscore and hyphen, but canonical names contain dots. */
export interface ToolNames {
  /** The name in requests; for a tool that was not offered, a name that a vendor accepts. */
  toWire(tool: string): string;
  /** The canonical name; the name unchanged if it belongs to no offered tool. */
  fromWire(name: string): string;
}

const MAX_WIRE_NAME = 64;

/** Builds both directions from the offered tools, as a table, because `a_b` might be `a.b` or itself. Throws if two tools have the same wire name. */
export function toolNames(tools: readonly ToolSpec[]): ToolNames {
  const wireOf = new Map<string, string>();
  const toolOf = new Map<string, string>();
  for (const { name } of tools) {
    const wire = wireAlphabet(name);
    if (toolOf.has(wire)) throw new Error(`two tools share the wire name ${wire}`);
    wireOf.set(name, wire);
    toolOf.set(wire, name);
  }
  return {
    toWire: (tool) => wireOf.get(tool) ?? wireAlphabet(tool),
    fromWire: (name) => toolOf.get(name) ?? name,
  };
}

function wireAlphabet(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_WIRE_NAME) || '_';
}

/** A call's id in a form that every vendor accepts. Ids of another vendor, or of a replayed session, may contain anything. */
export function wireCallId(callId: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(callId)) return callId;
  return `call_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`;
}
