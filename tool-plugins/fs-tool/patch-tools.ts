import { createHash } from 'node:crypto';
import { fsWriteInputSchema } from '../../src/contracts/model/tool-call.ts';
import type { FsWriteInput, PatchResult } from '../../src/contracts/model/tool-call.ts';
import { sha256Schema } from '../../src/contracts/ids.ts';
import { createUnifiedDiff } from '../../src/lib/diff/unified-diff.ts';
import { ToolFailure, defineTool } from '../sdk/index.ts';

/** The whole new content of a file, answered as a diff against what the kernel says is there. */
export const writeTool = defineTool(
  {
    name: 'fs.write',
    description: 'Creates a file, or replaces its whole content.',
    input: fsWriteInputSchema,
    outputMode: 'patch',
  },
  async (input) => write(input),
);

export function write({ path, base, content }: FsWriteInput): PatchResult {
  if (base !== null) checkBase(base);
  return { patch: createUnifiedDiff(path, base?.content ?? '', content), sha256: hash(content) };
}

/** Text that changed between the kernel and here would yield a patch for a file that does not exist. */
function checkBase(base: { content: string; sha256: string }): void {
  if (hash(base.content) === base.sha256) return;
  throw new ToolFailure('sandbox_failed', 'The content that arrived is not the content that was sent.');
}

function hash(text: string): PatchResult['sha256'] {
  return sha256Schema.parse(createHash('sha256').update(text, 'utf8').digest('hex'));
}
