import { anthropicClient } from '../../../src/providers/anthropic/anthropic-client.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { describeConformance } from '../conformance.ts';

describeConformance('anthropic', async (script, body) => {
  const server = await startAnthropicServer(script);
  const grant = { wire: 'messages', base_url: server.url, api_key: 'sk-test', extra_ca: [] } as const;
  await useClientInProcess(server, { ...grant, extra_ca: [] }, anthropicClient, body);
});
