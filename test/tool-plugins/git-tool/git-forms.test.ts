import { afterEach, describe, expect, test } from 'vitest';
import { filtersOf, formsOf } from '../../../tool-plugins/git-tool/git-forms.ts';
import { openGit } from '../../../tool-plugins/git-tool/run-git.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { toolContext } from '../../support/tool-context.ts';

const repositories: RealRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function repository(): RealRepository {
  const made = makeRepository();
  repositories.push(made);
  return made;
}

const CRLF = 'one\r\ntwo\r\n';
const LF = 'one\ntwo\n';

describe('what git would store of a file with CRLF', () => {
  const CASES = {
    'is LF under core.autocrlf': { autocrlf: 'true', committed: 'zero\n', stored: LF },
    'is CRLF under core.autocrlf where it is committed so': { autocrlf: 'true', committed: 'zero\r\n', stored: CRLF },
    'is LF under core.autocrlf=input': { autocrlf: 'input', committed: 'zero\n', stored: LF },
    'is LF under eol=crlf, however it is committed': {
      attributes: '* eol=crlf\n',
      committed: 'zero\r\n',
      stored: LF,
    },
    'is CRLF under -text': { attributes: '* -text\n', autocrlf: 'true', committed: 'zero\n', stored: CRLF },
    'is CRLF without a conversion': { committed: 'zero\n', stored: CRLF },
    'is LF where the user alone has core.autocrlf': { users: true, committed: 'zero\n', stored: LF },
    'is CRLF where the repository does not want what the user has': {
      users: true,
      autocrlf: 'false',
      committed: 'zero\n',
      stored: CRLF,
    },
  };
  interface Case {
    readonly attributes?: string;
    readonly autocrlf?: string;
    /** core.autocrlf is a setting of the user's. */
    readonly users?: boolean;
    readonly committed: string;
    readonly stored: string;
  }
  test.each<[string, Case]>(Object.entries(CASES))(
    '%s',
    async (_, { attributes = '', autocrlf, users, committed, stored }) => {
      const made = repository();
      made.git('config', 'core.safecrlf', 'true');
      made.write('a b.txt', committed);
      made.commit('first');
      if (autocrlf !== undefined) made.git('config', 'core.autocrlf', autocrlf);
      made.write('.gitattributes', attributes);
      made.write('a b.txt', CRLF);
      const git = await openGit(toolContext(made.root), users);
      const [form, ...others] = await formsOf(git, made.git('rev-parse', 'HEAD').trim(), ['a b.txt']);
      expect(others).toEqual([]);
      expect(form?.path).toBe('a b.txt');
      expect(made.gitBytes(['cat-file', 'blob', form?.id ?? '']).toString()).toBe(stored);
      // And that is what `git add` does.
      made.git('config', 'core.safecrlf', 'false');
      made.git(
        ...(users === true && autocrlf === undefined ? ['-c', 'core.autocrlf=true'] : []),
        'add',
        '--',
        'a b.txt',
      );
      expect(made.git('rev-parse', ':a b.txt').trim()).toBe(form?.id);
    },
  );
});

test('names the filter of each path that has one, be it there or not', async () => {
  const made = repository();
  made.write('.gitattributes', '[attr]big filter=lfs -text\n*.bin big\n*.secret filter=x\nopen.secret -filter\n');
  const git = await openGit(toolContext(made.root));
  const found = await filtersOf(git, ['a.bin', 'with\nline.secret', 'open.secret', 'a.txt']);
  expect(Object.fromEntries(found)).toEqual({ 'a.bin': 'lfs', 'with\nline.secret': 'x' });
});
