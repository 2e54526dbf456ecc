import { z } from 'zod';
import type { Script, ScriptedRequest, ScriptedTurn } from './script.ts';
import { countedTokens } from './script.ts';
import type { SseEvent, Wire, WireServer } from './wire-server.ts';
import { argumentsText, pieces, startWireServer } from './wire-server.ts';

/** A scripted model behind Google's generateContent. Arguments of a call are an object there, and come whole. */
export async function startGoogleServer(script: Script): Promise<WireServer> {
  return await startWireServer(googleWire, script);
}

const partSchema = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.object({ id: z.string(), response: z.record(z.string(), z.string()) }).optional(),
});
const requestSchema = z.object({
  systemInstruction: z.object({ parts: z.array(z.object({ text: z.string() })) }).optional(),
  tools: z.array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })) })).default([]),
  contents: z.array(z.object({ role: z.string(), parts: z.array(partSchema) })),
});

const STATUS_OF_TYPE: Readonly<Record<string, number>> = { rate_limit_error: 429, overloaded_error: 529 };

const googleWire: Wire = {
  accepts: (path) => /^\/v1beta\/models\/[^/]+:streamGenerateContent$/.test(path),
  view: (body) => {
    const request = requestSchema.parse(body);
    const parts = request.contents.at(-1)?.parts ?? [];
    return {
      model: '',
      system: request.systemInstruction?.parts.map(({ text }) => text).join('') ?? '',
      tools: request.tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined
          ? []
          : [{ callId: functionResponse.id, content: Object.values(functionResponse.response).join('') }],
      ),
      lastText: parts.map(({ text }) => text ?? '').join(''),
    };
  },
  events: (turn) => turnEvents(turn),
  refuses: refusalOf,
  errorEvent: (type, message) => ({ data: JSON.stringify(errorOf(type, message)) }),
  errorBody: errorOf,
};

/** Since Gemini 3 the first call of each answer has to come back with its signature, or with the mark of a call that another model made; the others may have none. */
function refusalOf({ path, body }: ScriptedRequest): string | null {
  if (!/gemini-3/.test(path)) return null;
  const contents = body['contents'] as readonly { readonly parts: readonly Readonly<Record<string, unknown>>[] }[];
  for (const { parts } of contents) {
    for (const [index, part] of parts.filter((each) => each['functionCall'] !== undefined).entries()) {
      const { name } = part['functionCall'] as { readonly name: string };
      const signature = part['thoughtSignature'];
      if (signature === 'skip_thought_signature_validator' || (signature === undefined && index > 0)) continue;
      if (signature === undefined) return 'Function call is missing a thought_signature in functionCall parts.';
      if (signature !== signatureOf(name)) return 'Corrupted thought signature.';
    }
  }
  return null;
}

function signatureOf(name: string): string {
  return `signed ${name.replace('_', '.')}`;
}

/** Without a code where the type names no status: the status of the answer says it. */
function errorOf(type: string, message: string): unknown {
  const code = STATUS_OF_TYPE[type] ?? (type === 'invalid_request_error' ? 400 : undefined);
  return { error: { ...(code === undefined ? {} : { code }), message, status: type.toUpperCase() } };
}

function turnEvents(turn: ScriptedTurn): readonly SseEvent[] {
  const usage = countedTokens(turn);
  const length = turn.chunkLength ?? 16;
  const chunk = (parts: readonly object[], finishReason?: string): unknown => ({
    candidates: [
      { content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }), index: 0 },
    ],
    ...(usage === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input + usage.cacheRead,
            candidatesTokenCount: usage.output,
            cachedContentTokenCount: usage.cacheRead,
          },
        }),
  });
  const calls = (turn.calls ?? []).map((call) => ({
    functionCall: {
      ...(call.id === undefined ? {} : { id: call.id }),
      name: call.tool.replaceAll('.', '_'),
      args: JSON.parse(argumentsText(call) || '{}') as unknown,
    },
    ...(turn.thinking === undefined ? {} : { thoughtSignature: `signed ${call.tool}` }),
  }));
  return [
    ...pieces(turn.thinking ?? '', length).map((text) => chunk([{ text, thought: true }])),
    ...pieces(turn.text ?? '', length).map((text) => chunk([{ text }])),
    ...calls.map((part) => chunk([part])),
    chunk([], finishReason(turn.stop)),
  ].map((value) => ({ data: JSON.stringify(value) }));
}

function finishReason(stop: ScriptedTurn['stop']): string {
  if (stop === 'refusal') return 'SAFETY';
  return stop === 'max_tokens' ? 'MAX_TOKENS' : 'STOP';
}
