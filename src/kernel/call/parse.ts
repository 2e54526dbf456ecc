import type { ModelCall } from '../../contracts/model/model.ts';
import type { ToolError } from '../../contracts/model/tool-errors.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { TOOL_NAME } from '../tools/tool.ts';
import type { ParsedCall, RefusedCall } from './call.ts';

/** Arguments travel in events and in every later request of the session: each has to fit into a frame with room for more. */
export const MAX_ARGUMENT_BYTES = 6 * 1024 * 1024;

/** In place of a name that no tool can have: what a model calls a tool reaches logs, terminals and every later request. */
export const INVALID_NAME = 'invalid_tool_name';

type Arguments = { readonly kind: 'ok'; readonly value: unknown } | { readonly kind: 'refused'; readonly why: string };

/**
 * Pure: what the model wrote, as a use of a tool with a checked input. What cannot be read is refused, and kept as `{}`: a provider would
 * refuse every later request that carries it.
 */
export function parseCall(tools: ToolRegistry, sent: ModelCall): ParsedCall | RefusedCall {
  const isName = TOOL_NAME.test(sent.tool);
  const named: ModelCall = { ...sent, tool: isName ? sent.tool : INVALID_NAME };
  const read = readArguments(sent.arguments);
  const received: ModelCall = read.kind === 'ok' ? named : { ...named, arguments: '{}' };
  if (!isName) {
    return refused(received, 'unknown_tool', `A tool's name matches ${TOOL_NAME.source}. ${listOf(tools)}`);
  }
  const tool = tools.find(sent.tool);
  if (tool === undefined) {
    const known = tools.known(sent.tool);
    if (known !== undefined)
      return refused(
        received,
        'unknown_tool',
        `There is no tool "${sent.tool}": use ${known.name}. ${known.description}`,
      );
    const nearest = tools.nearest(sent.tool);
    const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
    return refused(received, 'unknown_tool', `There is no tool "${sent.tool}".${hint} ${listOf(tools)}`);
  }
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
  if (text.trim() === '') return { kind: 'ok', value: {} };
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > MAX_ARGUMENT_BYTES) {
    const why = `have ${bytes.length} bytes; at most ${MAX_ARGUMENT_BYTES} are read. Do it in several calls.`;
    return { kind: 'refused', why };
  }
  const parsed = parseStrictJson(bytes);
  if (parsed.ok) return { kind: 'ok', value: parsed.value };
  return {
    kind: 'refused',
    why: `are not JSON that can be read (${faultOf(text, parsed.reason)}). Send one JSON object.`,
  };
}

/** JSON.parse says where the fault is. It is asked only about text that is known not to be nested too deeply. */
function faultOf(text: string, reason: string): string {
  if (reason !== 'invalid JSON') return reason;
  try {
    JSON.parse(text);
    return reason;
  } catch (error) {
    return error instanceof Error ? error.message : reason;
  }
}

function listOf(tools: ToolRegistry): string {
  return `Tools: ${tools.names.join(', ')}.`;
}

function refused(received: ModelCall, code: ToolError['code'], message: string): RefusedCall {
  const error: ToolError = { code, message, retryable: true };
  return { stage: 'refused', by: 'parser', received, use: null, targets: null, error };
}
