import { runOfflineProvider } from '../shared/run-provider.ts';
import { replayClient } from './replay-client.ts';

await runOfflineProvider('replay', replayClient());
