import type { ModelCall } from '../../contracts/model/model.ts';
import type { ToolError } from '../../contracts/model/tool-errors.ts';
import { repairJson } from '../../lib/repair-json.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { TOOL_NAME } from '../tools/tool.ts';
import type { ParsedCall, RefusedCall } from './call.ts';

/**
 * Arguments are part of events and of every later request of the session. Each must fit into a frame with room for
 * more.
 */
export const MAX_ARGUMENT_BYTES = 6 * 1024 * 1024;

/** Replaces a name that no tool can have, because the name appears in logs, terminals and every later request. */
export const INVALID_NAME = 'invalid_tool_name';

type Arguments =
  | {
      readonly kind: 'ok';
      readonly value: unknown;
      /** The arguments as JSON, in the form that a provider accepts back. */
      readonly text: string;
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Parses what the model wrote into the use of a tool with a checked input. Pure. Arguments that cannot be parsed are
 * refused and stored as `{}`, because a provider would refuse every later request that contains them.
 */
export function parseCall(tools: ToolRegistry, sent: ModelCall): ParsedCall | RefusedCall {
  const isName = TOOL_NAME.test(sent.tool);
  const tool = isName ? (tools.find(sent.tool) ?? tools.spelled(sent.tool)) : undefined;
  const read = readArguments(sent.arguments);
  const received: ModelCall = {
    ...sent,
    tool: tool?.name ?? (isName ? sent.tool : INVALID_NAME),
    arguments: read.kind === 'ok' ? read.text : '{}',
  };
  if (!isName) {
    return refused(received, 'unknown_tool', `A tool's name matches ${TOOL_NAME.source}. ${listOf(tools)}`);
  }
  if (tool === undefined) return refused(received, 'unknown_tool', noSuchTool(tools, sent.tool));
  if (read.kind === 'refused') {
    return refused(received, 'invalid_input', `The arguments of ${tool.name} ${read.why}`);
  }
  const used = tool.use(read.value);
  if (used.kind === 'invalid') {
    return refused(received, 'invalid_input', `The arguments of ${tool.name} do not fit:\n${used.why}`);
  }
  return { stage: 'parsed', received, use: used.use };
}

function readArguments(text: string): Arguments {
  if (text.trim() === '') return { kind: 'ok', value: {}, text };
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > MAX_ARGUMENT_BYTES) {
    const why = `have ${bytes.length} bytes; at most ${MAX_ARGUMENT_BYTES} are read. Do it in several calls.`;
    return { kind: 'refused', why };
  }
  const parsed = parseStrictJson(bytes);
  if (parsed.ok) return { kind: 'ok', value: parsed.value, text };
  const repaired = parsed.reason === 'invalid JSON' ? parseStrictJson(Buffer.from(repairJson(text), 'utf8')) : parsed;
  if (repaired.ok) return { kind: 'ok', value: repaired.value, text: JSON.stringify(repaired.value) };
  return {
    kind: 'refused',
    why: `are not JSON that can be read (${faultOf(text, parsed.reason)}). Send one JSON object.`,
  };
}

/**
 * The position of the fault, as JSON.parse reports it. It is called only with text that is known not to be nested too
 * deeply.
 */
function faultOf(text: string, reason: string): string {
  if (reason !== 'invalid JSON') return reason;
  try {
    JSON.parse(text);
    return reason;
  } catch (error) {
    return error instanceof Error ? error.message : reason;
  }
}

/** Names the tool that is probably meant, or all tools. */
function noSuchTool(tools: ToolRegistry, name: string): string {
  const known = tools.known(name);
  if (known !== undefined) {
    const fields = Object.keys(known.spec.input_schema['properties'] ?? {});
    return `There is no tool "${name}": use ${known.name}. Fields: ${fields.join(', ')}.`;
  }
  const nearest = tools.nearest(name);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `There is no tool "${name}".${hint} ${listOf(tools)}`;
}

function listOf(tools: ToolRegistry): string {
  return `Tools: ${tools.names.join(', ')}.`;
}

function refused(received: ModelCall, code: ToolError['code'], message: string): RefusedCall {
  const error: ToolError = { code, message, retryable: true };
  return { stage: 'refused', by: 'parser', received, use: null, targets: null, error };
}
