import { runProvider } from '../shared/run-provider.ts';
import { googleClient } from './google-client.ts';

await runProvider('google', googleClient);
