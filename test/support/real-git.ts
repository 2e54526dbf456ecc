import { execFileSync } from 'node:child_process';
import { appendFileSync, lchownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFastDirectory } from './fast-directory.ts';

/** A repository made and asked by the real git, in a directory of its own, with no configuration but its own. */
export interface RealRepository {
  readonly root: string;
  git(...args: string[]): string;
  /** With input, and the output as bytes. */
  gitBytes(args: readonly string[], input?: string | Buffer): Buffer;
  write(path: string, content: string | Buffer): void;
  commit(message: string): string;
  /** Gives everything to an ordinary user. */
  chownAll(uid: number, gid: number): void;
  remove(): void;
}

export interface RealRepositoryOptions {
  /** Name of the repository's directory; default `project`. */
  readonly name?: string;
  readonly init?: readonly string[];
}

const IDENTITY = { name: 'Ada Example', email: 'ada@example.org' };

export function makeRepository(options: RealRepositoryOptions = {}): RealRepository {
  const base = makeFastDirectory('fluffy-git-');
  const made = repositoryAt(base, options.name ?? 'project');
  mkdirSync(join(base, 'home'));
  mkdirSync(made.root, { recursive: true });
  made.git('init', '--quiet', '--initial-branch=main', ...(options.init ?? []));
  // Hundreds of tests begin here: a line in a file takes no process.
  const config = options.init?.includes('--bare') === true ? 'config' : '.git/config';
  appendFileSync(join(made.root, config), `[user]\n\tname = ${IDENTITY.name}\n\temail = ${IDENTITY.email}\n`);
  return made;
}

/** The same again in a directory of its own: faster than making it step by step. */
export function copyRepository(original: RealRepository): RealRepository {
  const base = makeFastDirectory('fluffy-git-');
  execFileSync('cp', ['-a', `${dirname(original.root)}/.`, base]);
  return repositoryAt(base, basename(original.root));
}

function repositoryAt(base: string, name: string): RealRepository {
  const root = join(base, name);
  const home = join(base, 'home');
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '1700000000 +0100',
    GIT_COMMITTER_DATE: '1700000000 +0100',
  };
  const gitBytes = (args: readonly string[], input?: string | Buffer): Buffer =>
    execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: root,
      env,
      input: input ?? '',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  const git = (...args: string[]): string => gitBytes(args).toString('utf8');

  return {
    root,
    git,
    gitBytes,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    commit(message) {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD').trim();
    },
    chownAll(uid, gid) {
      // Never through a link: fixtures hold some that lead out.
      for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
        lchownSync(join(root, name), uid, gid);
      }
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
