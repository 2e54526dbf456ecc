import { runProvider } from '../shared/run-provider.ts';
import { anthropicClient } from './anthropic-client.ts';

await runProvider('anthropic', anthropicClient);
