import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A repository without a file, asked which paths a pattern ignores. Nothing of the developer's own configuration is read. */
export class IgnoreOracle implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'fluffy-ignore-'));
  readonly #environment = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: this.#directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    LC_ALL: 'C.UTF-8',
  };

  constructor() {
    execFileSync('git', ['init', '--quiet', '.'], { cwd: this.#directory, env: this.#environment });
  }

  /** Which of the paths, taken as files, git ignores for this one pattern. */
  ignored(pattern: string, paths: readonly string[]): ReadonlySet<string> {
    writeFileSync(join(this.#directory, '.git', 'info', 'exclude'), `${pattern}\n`);
    const { status, stdout, stderr } = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: this.#directory,
      env: this.#environment,
      input: paths.map((path) => `${path}\0`).join(''),
      encoding: 'utf8',
    });
    if (status !== 0 && status !== 1) throw new Error(`git check-ignore: ${stderr}`);
    return new Set(stdout.split('\0').filter((path) => path !== ''));
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
