import { z } from 'zod';
import type { ModelCall } from '../../contracts/model.ts';
import type { ToolError } from '../../contracts/tool-errors.ts';
import { TOOL_INPUTS, TOOLS, toolNamed } from '../../contracts/tools.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import { nearestName } from '../tools/nearest-name.ts';

export type ParseOutcome =
  { readonly kind: 'ok'; readonly call: ParsedCall } | { readonly kind: 'error'; readonly error: ToolError };

/** Pure: what the model wrote, as a call with a checked input, or what to tell it instead. */
export function parseCall(call: ModelCall): ParseOutcome {
  const tool = toolNamed(call.tool);
  if (tool === undefined) {
    const names = TOOLS.map((each) => each.name);
    const nearest = nearestName(call.tool, names);
    return refused(
      'unknown_tool',
      `There is no tool ${JSON.stringify(call.tool)}.${nearest === null ? '' : ` Did you mean ${nearest}?`} Tools: ${names.join(', ')}.`,
    );
  }
  const text = call.arguments.trim() === '' ? '{}' : call.arguments;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refused('invalid_input', `The arguments of ${tool.name} are not JSON (${reason}). Send one JSON object.`);
  }
  const parsed = TOOL_INPUTS[tool.name].safeParse(json);
  if (!parsed.success) {
    return refused('invalid_input', `The arguments of ${tool.name} do not fit:\n${z.prettifyError(parsed.error)}`);
  }
  return { kind: 'ok', call: { tool: tool.name, input: parsed.data } as ParsedCall };
}

function refused(code: 'unknown_tool' | 'invalid_input', message: string): ParseOutcome {
  return { kind: 'error', error: { code, message, retryable: true } };
}
