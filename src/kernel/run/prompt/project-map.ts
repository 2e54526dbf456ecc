import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import { withReadable } from '../../call/perform/read.ts';
import { recordRead } from '../../record/audit-trail.ts';
import { mapSources, sourcesOf } from '../../tools/shared/map-sources.ts';
import type { CallContext } from '../../call/call.ts';

/**
 * In a project with more sources the model calls `repo.map`, because the first request would have to wait until they
 * are parsed.
 */
const MAX_SOURCES = 60;
/** About 700 tokens. */
const MAX_CHARACTERS = 2_400;

/**
 * The definitions that the rest of a small project uses most, in the sources that the model may read; '' for a large
 * project. Untrusted text.
 */
export async function projectMap(context: CallContext, paths: readonly string[]): Promise<string> {
  const { services, session, workspace, signal } = context;
  return withReadable(context, async (readable) => {
    const scope = { workspace, readable, parse: services.parseSyntax, signal };
    const sources = sourcesOf(scope, paths);
    if (sources.length === 0 || sources.length > MAX_SOURCES) return '';
    const wish = { focus: [], maxCharacters: MAX_CHARACTERS, maxUnusable: 1 };
    const { text } = await mapSources(scope, sources, wish);
    recordRead(services, session, 'syscall', {
      syscall_type: 'repo.map',
      input_summary: `for the first turn, sources: ${sources.length}`,
    });
    return redactSecrets(text, services.policy().sanitizer.patterns).text;
  });
}
