import type { ProviderGrant } from '../../../src/contracts/model/provider-config.ts';
import type { ProviderWire } from '../../../src/contracts/model/providers.ts';
import { anthropicClient } from '../../../src/providers/anthropic/anthropic-client.ts';
import { googleClient } from '../../../src/providers/google/google-client.ts';
import { openAiClient } from '../../../src/providers/openai/openai-client.ts';
import type { ProviderUnderTest } from '../../providers/conformance.ts';
import { useClientInProcess } from '../provider-in-process.ts';
import { startAnthropicServer } from './anthropic-server.ts';
import { startChatServer } from './chat-server.ts';
import { startGoogleServer } from './google-server.ts';
import { startResponsesServer } from './responses-server.ts';
import type { Script } from './script.ts';
import type { WireServer } from './wire-server.ts';

interface Wire {
  readonly start: (script: Script) => Promise<WireServer>;
  readonly client: typeof openAiClient;
  readonly path: string;
}

/** Each wire that a provider speaks, with a server that speaks it too. */
const WIRES: Readonly<Record<ProviderWire, Wire>> = {
  messages: { start: startAnthropicServer, client: anthropicClient, path: '' },
  responses: { start: startResponsesServer, client: openAiClient, path: '/v1' },
  'chat-completions': { start: startChatServer, client: openAiClient, path: '/v1' },
  'generate-content': { start: startGoogleServer, client: googleClient, path: '' },
};

export const WIRE_NAMES = Object.keys(WIRES) as readonly ProviderWire[];

/** Starts the scripted model of a wire, runs `body` with a client of it, and cleans up. */
export async function useWire(
  wire: ProviderWire,
  script: Script,
  body: (provider: ProviderUnderTest) => Promise<void>,
): Promise<void> {
  const { start, client, path } = WIRES[wire];
  const server = await start(script);
  const grant: ProviderGrant = { wire, base_url: `${server.url}${path}`, api_key: 'sk-for-a-test', extra_ca: [] };
  await useClientInProcess(server, grant, client, body);
}
