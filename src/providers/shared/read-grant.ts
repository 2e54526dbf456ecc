import type { ProviderGrant } from '../../contracts/model/provider-config.ts';
import { providerGrantSchema } from '../../contracts/model/provider-config.ts';
import { connect } from '../../ipc/index.ts';
import { parseJson } from '../../lib/parse-json.ts';

const MAX_GRANT_BYTES = 8 * 1024 * 1024;

/** Fetches this sandbox's key and endpoint. The service socket can be opened only once; rejects if another process has opened it before. */
export async function readGrant(secretSocketPath: string): Promise<ProviderGrant> {
  const socket = await connect(secretSocketPath);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_GRANT_BYTES) throw new Error('the grant is too long');
    chunks.push(chunk);
  }
  const parsed = providerGrantSchema.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  // The text is not quoted, because it may contain the key.
  if (!parsed.success) throw new Error('the grant has an unexpected form');
  return parsed.data;
}
