import { expect, it } from 'vitest';
import type { SessionId } from '../../../src/contracts/ids.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { TestCommand } from '../../../src/contracts/session-protocol.ts';
import { collectTestFiles, runTests } from '../../../src/kernel/proof/run-tests.ts';
import type { Services } from '../../../src/kernel/services.ts';
import { baselineOf } from '../../../src/kernel/proof/baseline.ts';
import { judgeGreen } from '../../../src/kernel/proof/green.ts';

const COMMAND = { runner: 'node-test', cwd: '', args: [] } as unknown as TestCommand;

/** A project of which a listing says so much, and in which no sandbox can be started. */
function listing(truncated: boolean): Workspace {
  return {
    glob: () => Promise.resolve({ paths: ['src/a.js', 'test/a.test.js'], truncated }),
  } as unknown as Workspace;
}

it('takes a listing that was cut off for no suite: what passes of a part proves nothing', async () => {
  expect(await collectTestFiles(listing(false), COMMAND)).toEqual(['test/a.test.js']);
  const workspace = listing(true);
  const files = await collectTestFiles(workspace, COMMAND);
  expect(files).toBeNull();
  const site = { id: 's_1' as SessionId, workspace, session: { state: 'validating', mode: 'strict' } } as const;
  const run = await runTests({} as unknown as Services, site, COMMAND, files, new AbortController().signal);
  expect(run).toMatchObject({ outcome: 'invalid', why: expect.stringContaining('could be listed') as string });
  expect(baselineOf(run).kind).toBe('unknown');
  const facts = { run, baseline: baselineOf(run), red: null, testHashes: {}, sourceChanged: true };
  expect(judgeGreen(facts)).toMatchObject({ kind: 'not-green' });
});
