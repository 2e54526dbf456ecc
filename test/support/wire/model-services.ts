import type { ProviderWire } from '../../../src/contracts/model/providers.ts';
import { startAnthropicServer } from './anthropic-server.ts';
import { startChatServer } from './chat-server.ts';
import { startGoogleServer } from './google-server.ts';
import { startResponsesServer } from './responses-server.ts';
import type { Script } from './script.ts';
import type { WireServer } from './wire-server.ts';

/** One scripted model that can be had over every wire, and what a home needs so that each can be named. */
export interface ModelServices {
  readonly env: Readonly<Record<string, string>>;
  /** Text of the user's config.yaml. */
  readonly config: string;
  readonly servers: Readonly<Record<ProviderWire, WireServer>>;
  close(): Promise<void>;
}

/** What `--model` is to be for a wire. */
export const MODEL_OVER: Readonly<Record<ProviderWire, string>> = {
  messages: 'anthropic/claude-test',
  'generate-content': 'google/gemini-test',
  responses: 'openai/gpt-test',
  'chat-completions': 'workshop/qwen-test',
};

export async function startModelServices(script: Script): Promise<ModelServices> {
  const [messages, responses, chat, google] = await Promise.all([
    startAnthropicServer(script),
    startResponsesServer(script),
    startChatServer(script),
    startGoogleServer(script),
  ]);
  const servers = { messages, responses, 'chat-completions': chat, 'generate-content': google };
  return {
    env: {
      FLUFFY_ANTHROPIC_BASE_URL: messages.url,
      ANTHROPIC_API_KEY: 'sk-ant-for-a-test',
      FLUFFY_OPENAI_BASE_URL: responses.url,
      OPENAI_API_KEY: 'sk-for-a-test',
      FLUFFY_GOOGLE_BASE_URL: google.url,
      GEMINI_API_KEY: 'key-for-a-test',
      WORKSHOP_KEY: 'key-for-a-test',
    },
    config: `providers:
  workshop: { kind: openai-compatible, base_url: "${chat.url}/v1", api_key_ref: "env:WORKSHOP_KEY" }
`,
    servers,
    close: async () => {
      await Promise.all(Object.values(servers).map((server) => server.close()));
    },
  };
}
