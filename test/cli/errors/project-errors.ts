import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RealRepository } from '../../support/real-git.ts';
import type { Provocations, Provoke } from './bench.ts';

/** A task in a project that was spoiled; `make` may answer where to start instead. */
const spoiled =
  (make: (made: RealRepository) => string | void): Provoke =>
  (bench) => {
    const starts: string[] = [];
    const made = bench.project((fresh) => starts.push(make(fresh) ?? fresh.root));
    return bench.task(starts[0] ?? made.root);
  };

const userConfig =
  (text: string, model = 'anthropic/claude-test'): Provoke =>
  (bench) => {
    mkdirSync(bench.user.config, { recursive: true, mode: 0o700 });
    writeFileSync(bench.user.configFile, text);
    return bench.cli(['-p', 'x', '--model', model, '--project', bench.project().root]);
  };

function conflict(made: RealRepository): void {
  made.git('switch', '-q', '-c', 'other');
  made.write('notes.md', 'theirs\n');
  made.commit('theirs');
  made.git('switch', '-q', 'main');
  made.write('notes.md', 'ours\n');
  made.commit('ours');
  try {
    made.git('merge', 'other');
  } catch {
    return;
  }
  throw new Error('the merge has no conflict');
}

/** What is found before a kernel is started: in the repository, in the configuration, on the command line. */
export const PROJECT_ERRORS: Provocations = {
  bare_repository: spoiled((made) => void made.git('config', 'core.bare', 'true')),
  base_url_refused: (bench) =>
    bench.cli([
      ...['-p', 'x', '--model', 'anthropic/claude-test', '--base-url', 'https://evil.example'],
      ...['--project', bench.project().root],
    ]),
  config_invalid: userConfig('modle: a/b\n'),
  detached_head: spoiled((made) => void made.git('switch', '-q', '--detach')),
  git_config_invalid: (bench) => {
    writeFileSync(join(bench.home, '.gitconfig'), '[broken\n');
    return bench.task(bench.project((made) => made.git('config', '--unset', 'user.name')).root);
  },
  git_operation_in_progress: spoiled(conflict),
  inside_git_dir: spoiled((made) => join(made.root, '.git/refs')),
  interrupted: async (bench) => {
    const scene = await bench.served();
    const held = scene.start(['-p', 'x'], { stdin: null });
    held.signal('interrupt');
    return held.result;
  },
  is_a_submodule: spoiled((made) => {
    made.git('clone', '-q', made.root, 'other');
    made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(made.root, 'other'), 'sub');
    return join(made.root, 'sub');
  }),
  key_file_unsafe: async (bench) => {
    mkdirSync(bench.user.keys, { recursive: true, mode: 0o700 });
    writeFileSync(join(bench.user.keys, 'anthropic'), 'sk-file\n');
    chmodSync(join(bench.user.keys, 'anthropic'), 0o644);
    return bench.task(bench.project().root, { env: { ANTHROPIC_API_KEY: '' } });
  },
  key_unusable: (bench) => bench.task(bench.project().root, { env: { ANTHROPIC_API_KEY: 'two words' } }),
  linked_worktree: spoiled((made) => {
    made.git('worktree', 'add', '-q', 'linked');
    rmSync(join(made.root, '.git/worktrees/linked/gitdir'));
    return join(made.root, 'linked');
  }),
  worktree_not_made: (bench) => bench.cli(['-p', 'x', '--worktree', '../x', '--project', bench.project().root]),
  no_commit: spoiled((made) => void made.git('switch', '-q', '--orphan', 'empty')),
  no_git_identity: spoiled((made) => {
    made.git('config', '--unset', 'user.name');
    made.git('config', '--unset', 'user.email');
  }),
  no_test_command: spoiled((made) => {
    for (const path of ['package.json', 'src', 'test']) rmSync(join(made.root, path), { recursive: true });
    made.write('main.c', 'int main(void) { return 0; }\n');
  }),
  not_a_repository: spoiled((made) => dirname(made.root)),
  policy_invalid: async (bench) => {
    const { connectKernel } = await import('../../../src/cli/connect-kernel.ts');
    const made = bench.project((fresh) => fresh.write('.fluffy/policy.yaml', 'version: nine\n'));
    return bench.task(made.root, {}, connectKernel);
  },
  project_missing: (bench) => bench.task('/nonexistent/place'),
  project_not_writable: spoiled((made) => chmodSync(made.root, 0o500)),
  project_path_unusable: spoiled((made) => {
    const root = join(made.root, 'new\nline');
    mkdirSync(root);
    return root;
  }),
  project_unsuitable: async (bench) => {
    const { connectKernel } = await import('../../../src/cli/connect-kernel.ts');
    const made = bench.project();
    return bench.task(made.root, { env: { XDG_STATE_HOME: join(made.root, 'state') } }, connectKernel);
  },
  provider_key_missing: (bench) => bench.task(bench.project().root, { env: { ANTHROPIC_API_KEY: '' } }),
  provider_name_reserved: userConfig(
    'providers:\n  anthropic: { kind: openai-compatible, base_url: "https://evil.example/v1" }\n',
  ),
  provider_place_unknown: userConfig('mode: strict\n', 'azure/gpt-5'),
  replay_unusable: userConfig('mode: strict\n', 'replay/gone.jsonl'),
  repository_unreadable: spoiled((made) => appendFileSync(join(made.root, '.git/config'), '[broken\n')),
  repository_unsupported: spoiled((made) =>
    writeFileSync(join(made.root, '.git/objects/info/alternates'), '/somewhere/objects\n'),
  ),
  tests_in_build_output: spoiled((made) => {
    made.write('package.json', '{ "scripts": { "test": "tsc && node --test dist/" } }\n');
    made.write('.gitignore', 'dist\n');
  }),
  unknown_provider: userConfig('mode: strict\n', 'nobody/x'),
  unknown_test_runner: spoiled((made) => made.write('package.json', '{ "scripts": { "test": "ava" } }\n')),
  usage: (bench) => bench.cli(['-p', '   ', '--project', bench.project().root]),
};
