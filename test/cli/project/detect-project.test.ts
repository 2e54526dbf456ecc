import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { detectProject } from '../../../src/cli/project/detect-project.ts';
import type { DetectOptions, ProjectEnvironment, ProjectOutcome } from '../../../src/cli/project/detect-project.ts';
import { OWNER } from '../../support/merge-fixture.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository, RealRepositoryOptions } from '../../support/real-git.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY: ProjectEnvironment = { HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const repositories: RealRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function repository(options: RealRepositoryOptions = {}): RealRepository {
  const made = makeRepository(options);
  repositories.push(made);
  made.write('src/app.js', 'export {};\n');
  made.commit('first');
  return made;
}

async function detect(dir: string, env = NOBODY, options: DetectOptions = {}): Promise<ProjectOutcome> {
  return detectProject(dir, env, { invokerUid: OWNER.uid, ...options });
}

async function project(dir: string, env = NOBODY, options: DetectOptions = {}) {
  const outcome = await detect(dir, env, options);
  if (outcome.kind === 'problem') throw outcome.error;
  return outcome.project;
}

test('an ordinary repository is found from a sub-folder, and nothing in it is touched', async () => {
  const made = repository();
  made.chownAll(OWNER.uid, OWNER.gid);
  const before = snapshotTree(made.root);
  expect(await project(join(made.root, 'src'))).toEqual({
    root: made.root,
    git: ordinaryGitDirectories(made.root),
    cwd: 'src',
    ...OWNER,
    branch: 'main',
    head: made.git('rev-parse', 'HEAD').trim(),
    identity: { name: 'Ada Example', email: 'ada@example.org' },
    autocrlf: false,
    lfs: false,
  });
  expect(snapshotTree(made.root)).toEqual(before);
});

test.each(['with blanks, and commas', 'ünïcødé-日本語', 'a:colon', 'quote\'"s', '-dash'])(
  'a path named %s works',
  async (name) => {
    const made = repository({ name });
    made.chownAll(OWNER.uid, OWNER.gid);
    expect(await project(made.root)).toMatchObject({ root: made.root, cwd: '' });
  },
);

test('packed refs, nested branch names and packed objects are read', async () => {
  const made = repository();
  made.git('switch', '-q', '-c', 'feature/deep/name');
  made.git('gc', '-q');
  made.chownAll(OWNER.uid, OWNER.gid);
  expect(await project(made.root)).toMatchObject({
    branch: 'feature/deep/name',
    head: made.git('rev-parse', 'HEAD').trim(),
  });
});

test('a linked worktree has its own HEAD, and the objects of its repository', async () => {
  const made = repository();
  made.git('worktree', 'add', '-q', '-b', 'side', 'linked');
  made.chownAll(OWNER.uid, OWNER.gid);
  const root = join(made.root, 'linked');
  expect(await project(root)).toMatchObject({
    root,
    git: { gitDir: join(made.root, '.git/worktrees/linked'), commonDir: join(made.root, '.git') },
    branch: 'side',
    head: made.git('rev-parse', 'HEAD').trim(),
  });
});

test('Git LFS is noticed', async () => {
  const made = repository();
  made.write('.gitattributes', '# filter=lfs\n*.png filter=lfs diff=lfs merge=lfs -text\n');
  made.chownAll(OWNER.uid, OWNER.gid);
  expect(await project(made.root)).toMatchObject({ lfs: true });
});

/** Each brings a sound repository into a state that cannot be worked on, and may say where to stand. */
interface Bad {
  readonly code: string;
  /** Where to stand; default: the repository's root. */
  readonly make: (made: RealRepository) => string | undefined | void;
  /** What still belongs to root afterwards; only root can make such a case. */
  readonly rootOwns?: string;
}

const PROBLEMS: Record<string, Bad> = {
  'no repository': { code: 'not_a_repository', make: (made) => rmSync(join(made.root, '.git'), { recursive: true }) },
  'a directory that does not exist': { code: 'project_missing', make: (made) => join(made.root, 'nowhere') },
  'a file': { code: 'project_missing', make: (made) => join(made.root, 'src/app.js') },
  'the .git directory itself': { code: 'inside_git_dir', make: (made) => join(made.root, '.git/refs') },
  'a bare repository': {
    code: 'bare_repository',
    make: (made) => {
      made.git('clone', '-q', '--bare', made.root, 'bare.git');
      return join(made.root, 'bare.git');
    },
  },
  'a repository configured as bare': {
    code: 'bare_repository',
    make: (made) => void made.git('config', 'core.bare', 'true'),
  },
  'no commit': { code: 'no_commit', make: (made) => void made.git('switch', '-q', '--orphan', 'empty') },
  'a detached HEAD': { code: 'detached_head', make: (made) => void made.git('switch', '-q', '--detach') },
  'a merge in progress': { code: 'git_operation_in_progress', make: (made) => conflict(made, 'merge') },
  'a rebase in progress': { code: 'git_operation_in_progress', make: (made) => conflict(made, 'rebase') },
  'a cherry-pick in progress': { code: 'git_operation_in_progress', make: (made) => conflict(made, 'cherry-pick') },
  'a cherry-pick of several commits, one of which was committed by hand': {
    code: 'git_operation_in_progress',
    make: (made) => {
      made.git('switch', '-q', '-c', 'other');
      for (const text of ['one\n', 'two\n']) {
        made.write('src/app.js', text);
        made.commit(text);
      }
      made.git('switch', '-q', 'main');
      made.write('src/app.js', 'ours\n');
      made.commit('ours');
      expect(() => made.git('cherry-pick', 'main..other')).toThrow();
      made.write('src/app.js', 'both\n');
      made.commit('by hand');
    },
  },
  'a bisection': { code: 'git_operation_in_progress', make: (made) => void made.git('bisect', 'start') },
  'a linked worktree that its repository does not know': {
    code: 'linked_worktree',
    make: (made) => {
      made.git('worktree', 'add', '-q', 'linked');
      rmSync(join(made.root, '.git/worktrees/linked/gitdir'));
      return join(made.root, 'linked');
    },
  },
  'a submodule': {
    code: 'is_a_submodule',
    make: (made) => {
      made.git('clone', '-q', made.root, 'other');
      made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(made.root, 'other'), 'sub');
      return join(made.root, 'sub');
    },
  },
  'a separate git directory': {
    code: 'repository_unsupported',
    make: (made) => void made.git('init', '-q', '--separate-git-dir', `${made.root}-git`),
  },
  'a .git that is a link': {
    code: 'repository_unsupported',
    make: (made) => {
      execFileSync('mv', [join(made.root, '.git'), `${made.root}-git`]);
      symlinkSync(`${made.root}-git`, join(made.root, '.git'));
    },
  },
  'borrowed objects': {
    code: 'repository_unsupported',
    make: (made) => writeFileSync(join(made.root, '.git/objects/info/alternates'), '/somewhere/objects\n'),
  },
  'an unknown extension': {
    code: 'repository_unsupported',
    make: (made) => {
      made.git('config', 'extensions.novel', 'true');
      made.git('config', 'core.repositoryformatversion', '1');
    },
  },
  'no identity': {
    code: 'no_git_identity',
    make: (made) => {
      made.git('config', '--unset', 'user.name');
      made.git('config', '--unset', 'user.email');
    },
  },
  'a read-only directory': { code: 'project_not_writable', make: (made) => chmodSync(made.root, 0o500) },
  'an unreadable directory': { code: 'project_not_writable', make: (made) => chmodSync(made.root, 0o000) },
  'objects that root left behind': {
    code: 'project_not_writable',
    make: () => undefined,
    rootOwns: '.git/objects',
  },
  'a malformed configuration': {
    code: 'repository_unreadable',
    make: (made) => appendFileSync(join(made.root, '.git/config'), '[broken\n'),
  },
  'a HEAD that leads out of the repository': {
    code: 'repository_unreadable',
    make: (made) => writeFileSync(join(made.root, '.git/HEAD'), 'ref: refs/heads/../../../../etc/passwd\n'),
  },
  'a HEAD that is a link': {
    code: 'repository_unreadable',
    make: (made) => {
      rmSync(join(made.root, '.git/HEAD'));
      symlinkSync('/etc/passwd', join(made.root, '.git/HEAD'));
    },
  },
  'a branch whose commit is missing': {
    code: 'repository_unreadable',
    make: (made) => writeFileSync(join(made.root, '.git/refs/heads/main'), `${'1'.repeat(40)}\n`),
  },
  'SHA-256 objects': {
    code: 'repository_unsupported',
    make: (made) => {
      const root = join(made.root, 'sha256');
      execFileSync('git', ['init', '-q', '--object-format=sha256', root], { stdio: 'ignore' });
      return root;
    },
  },
  'a path with a newline': {
    code: 'project_path_unusable',
    make: (made) => {
      const root = join(made.root, 'new\nline');
      mkdirSync(root);
      return root;
    },
  },
};

function conflict(made: RealRepository, command: 'merge' | 'rebase' | 'cherry-pick'): void {
  made.git('switch', '-q', '-c', 'other');
  made.write('src/app.js', 'theirs\n');
  made.commit('theirs');
  made.git('switch', '-q', 'main');
  made.write('src/app.js', 'ours\n');
  made.commit('ours');
  expect(() => made.git(command, 'other')).toThrow();
}

describe('what cannot be worked on is said with what, why, fix and exit code 2', () => {
  const problems = Object.entries(PROBLEMS).filter(([, { rootOwns }]) => isRoot || rootOwns === undefined);
  test.each(problems)('%s', async (_, { code, make, rootOwns }) => {
    const made = repository();
    const dir = make(made) ?? made.root;
    made.chownAll(OWNER.uid, OWNER.gid);
    if (rootOwns !== undefined) chownSync(join(made.root, rootOwns), 0, 0);
    const outcome = await detect(dir);
    if (outcome.kind === 'ok') throw new Error('was accepted');
    expect(outcome.error).toMatchObject({ code, exitCode: 2 });
    for (const sentence of [outcome.error.what, outcome.error.why, outcome.error.fix]) expect(sentence).not.toBe('');
  });

  test('a path too long for a container to mount', async () => {
    const made = repository();
    const name = join(...Array.from({ length: 6 }, () => 'x'.repeat(200)));
    made.git('clone', '-q', made.root, name);
    made.chownAll(OWNER.uid, OWNER.gid);
    const outcome = await detect(join(made.root, name));
    expect(outcome).toMatchObject({ kind: 'problem', error: { code: 'project_path_unusable', exitCode: 2 } });
  });
});

describe('who may work on whose project', () => {
  const CASES = [
    { owner: 1000, invoker: 1000, allowRoot: false, result: 'ok' },
    { owner: 1000, invoker: 0, allowRoot: false, result: 'ok' },
    { owner: 1000, invoker: 1001, allowRoot: false, result: 'project_not_owned' },
    { owner: 0, invoker: 0, allowRoot: false, result: 'project_owned_by_root' },
    { owner: 0, invoker: 0, allowRoot: true, result: 'ok' },
    { owner: 0, invoker: 1000, allowRoot: true, result: 'project_not_owned' },
  ];
  test.runIf(isRoot).each(CASES)('owner $owner, invoker $invoker, --allow-root $allowRoot: $result', async (row) => {
    const made = repository();
    made.chownAll(row.owner, row.owner);
    const outcome = await detect(made.root, NOBODY, { invokerUid: row.invoker, allowRoot: row.allowRoot });
    expect(outcome.kind === 'ok' ? 'ok' : outcome.error.code).toBe(row.result);
  });
});

describe('the identity is the one that git would take', () => {
  const CASES: Record<string, { files: Record<string, string>; env?: ProjectEnvironment }> = {
    'from ~/.gitconfig': { files: { '.gitconfig': '[user]\n\tname = Home Name\n\temail = home@example.org\n' } },
    'from the XDG file, with ~/.gitconfig stronger': {
      files: {
        '.config/git/config': '[user]\nname = "Xdg; Name" ; comment\nemail = xdg@example.org\n',
        '.gitconfig': '[user]\nemail = home@example.org # mine\n',
      },
    },
    'from the environment': {
      files: { '.gitconfig': '[user]\n\tname = Home Name\n\temail = home@example.org\n' },
      env: { GIT_AUTHOR_NAME: 'Env <Name>', GIT_AUTHOR_EMAIL: 'env@example.org' },
    },
    'author.* before user.*': {
      files: { '.gitconfig': '[user]\nname = U\nemail = u@example.org\n[author]\nname = "A\\tuthor"\n' },
    },
    'from an included file': {
      files: {
        '.gitconfig': '[user]\nname = U\nemail = u@example.org\n[include]\npath = more.inc\n',
        'more.inc': '[user]\n  email = included@example.org\n',
      },
    },
    'from a conditionally included file': {
      files: {
        '.gitconfig':
          '[user]\nname = U\nemail = u@example.org\n[includeIf "gitdir:project/"]\npath = ~/work.inc\n[includeIf "gitdir:elsewhere/"]\npath = ~/no.inc\n',
        'work.inc': '[user]\n  email = work@example.org\n',
        'no.inc': '[user]\n  email = no@example.org\n',
      },
    },
    'a continued line': { files: { '.gitconfig': '[user]\nname = First \\\n  Last\nemail = u@example.org\n' } },
  };
  test.each(Object.entries(CASES))('%s', async (_, { files, env }) => {
    const made = repository();
    made.git('config', '--unset', 'user.name');
    made.git('config', '--unset', 'user.email');
    const home = join(made.root, '..', 'home');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(home, name, '..'), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    made.chownAll(OWNER.uid, OWNER.gid);
    const found = await project(made.root, { HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...env });
    const ident = execFileSync('git', ['-c', 'safe.directory=*', 'var', 'GIT_AUTHOR_IDENT'], {
      cwd: made.root,
      env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...env },
    }).toString();
    expect(`${found.identity.name} <${found.identity.email}>`).toBe(ident.replace(/ \d+ [+-]\d+\n$/, ''));
  });

  test("an include in the repository's own configuration is not followed", async () => {
    const made = repository();
    writeFileSync(join(made.root, 'evil.inc'), '[user]\nname = Evil\n');
    made.git('config', 'include.path', '../evil.inc');
    made.chownAll(OWNER.uid, OWNER.gid);
    expect((await project(made.root)).identity.name).toBe('Ada Example');
  });
});

test.each([
  ['true', true],
  ['on', true],
  ['input', true],
  ['false', false],
])("core.autocrlf = %s of the user's own settings is known", async (value, autocrlf) => {
  const made = repository();
  const home = join(made.root, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), `[core]\n\tautocrlf = ${value}\n`);
  made.chownAll(OWNER.uid, OWNER.gid);
  expect(await project(made.root, { HOME: home, GIT_CONFIG_NOSYSTEM: '1' })).toMatchObject({ autocrlf });
});
