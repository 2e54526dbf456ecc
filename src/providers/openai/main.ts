import { runProvider } from '../shared/run-provider.ts';
import { openAiClient } from './openai-client.ts';

await runProvider('openai', openAiClient);
