import { expect, it } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { Repository } from '../../../src/contracts/ports/repository.ts';
import { lineFeedPaths } from '../../../src/kernel/commit/line-feed-paths.ts';
import { hashObject } from '../../../src/lib/git/object-id.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const id = 'a'.repeat(40) as ObjectId;
const state = { branchRef: 'refs/heads/main', head: id, headTree: id, fileMode: true };
/** HEAD is empty. */
const repository: Repository = {
  state: () => Promise.resolve({ kind: 'ok', state }),
  readObject: () => Promise.resolve({ type: 'tree', content: Buffer.alloc(0) }),
  readRef: () => Promise.resolve(null),
  attributes: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

it.each([
  ['stored with LF where the user has core.autocrlf', true, ['new.js']],
  ['stored as it is otherwise', undefined, []],
] as const)('a new file with CRLF is %s', async (_, autocrlf, expected) => {
  const made = testKernel({
    staged: { 'new.js': 'one\r\n' },
    options: autocrlf === undefined ? {} : { autocrlf },
  });
  made.sandboxes.tools.set('git.forms', ({ operation }) => {
    const { users_autocrlf: converts } = operation.params as { users_autocrlf?: true };
    const stored = converts === true ? 'one\n' : 'one\r\n';
    return { forms: [{ path: 'new.js', id: hashObject('blob', Buffer.from(stored)) }] };
  });
  const { sandboxes } = made.services;
  const git = { sandboxes, session: made.session, workspace: made.workspace, signal: new AbortController().signal };
  const read = () => Promise.resolve(Buffer.from('one\r\n'));
  const found = await lineFeedPaths(git, repository, state, await made.workspace.changes(), read);
  expect(found).toEqual({ kind: 'ok', paths: new Set(expected) });
});
