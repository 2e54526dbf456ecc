import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  classifyPath,
  decide,
  loadPolicy,
  pathsOutsideExemption,
  unmetConstraints,
} from '../../../src/kernel/policy/index.ts';
import { SHIPPED_CASES, SOURCE, TESTS } from '../../policy-cases/shipped.ts';

const loaded = loadPolicy(readFileSync(new URL('../../../policy.yaml', import.meta.url), 'utf8'), 'policy.yaml');
if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
const { policy, warnings } = loaded;

test('it loads without a warning', () => {
  expect(warnings).toEqual([]);
});

describe('it says', () => {
  test.each(SHIPPED_CASES)('$title', ({ syscalls, states, paths, request, expect: expected, rule }) => {
    const wrong: string[] = [];
    for (const syscall of syscalls) {
      for (const state of states) {
        for (const path of paths ?? [undefined]) {
          const decision = decide(
            policy,
            { mode: 'strict', tags: [], ...request, syscall, state, path },
            { nowMonotonicMs: 0 },
          );
          const tookPart = rule === undefined || decision.rules.some(({ name }) => name === rule);
          if (decision.decision !== expected || !tookPart)
            wrong.push(`${syscall} ${path} in ${state}: ${decision.decision}`);
          if (decision.decision !== 'allow') expect(decision.reasons.join()).not.toBe('');
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('tests, documentation and source are told apart', () => {
  expect(TESTS.filter((path) => classifyPath(policy, path).kind !== 'test')).toEqual([]);
  expect(SOURCE.filter((path) => classifyPath(policy, path).kind === 'test')).toEqual([]);
  expect(classifyPath(policy, 'README.md')).toEqual({ kind: 'docs', sensitive: false });
  expect(classifyPath(policy, 'docs/test/a.md').kind).toBe('test');
  expect(classifyPath(policy, 'src/a.ts')).toEqual({ kind: 'source', sensitive: false });
});

test.each(['package.json', 'Cargo.toml', 'go.mod', 'Gemfile', 'a.gemspec', 'composer.json', 'bun.lockb', 'deno.jsonc'])(
  'the dependencies in %s can come with the test that needs them, to a person',
  (path) => {
    expect(classifyPath(policy, path)).toEqual({ kind: 'other', sensitive: true });
  },
);

test.each([
  ...[
    'package.json',
    'packages/a/package.json',
    'package-lock.json',
    'pnpm-lock.yaml',
    'Cargo.lock',
    'go.sum',
    'requirements-dev.txt',
  ],
  ...[
    'vitest.config.ts',
    'jest.config.js',
    '.mocharc.json',
    'tests/conftest.py',
    'pytest.ini',
    'tox.ini',
    'test/setupTests.ts',
  ],
  ...[
    'src/__snapshots__/a.test.ts.snap',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'Dockerfile',
    'build/Dockerfile.dev',
  ],
  ...[
    '.gitattributes',
    '.gitmodules',
    '.husky/pre-commit',
    'AGENTS.md',
    'sitecustomize.py',
    'tsconfig.build.json',
    'Makefile',
    'CMakeLists.txt',
    'cmake/deps.cmake',
  ],
  ...[
    '.mcp.json',
    '.claude/settings.json',
    'makefile',
    'MAKEFILE',
    'binding.gyp',
    'native/binding.gyp',
    '.pnpmfile.cjs',
  ],
  ...[
    'bunfig.toml',
    '.yarn/releases/yarn-4.cjs',
    'gradlew',
    'gradlew.bat',
    '.mvn/wrapper/a.jar',
    'requirements/dev.txt',
  ],
  ...['bitbucket-pipelines.yml', 'appveyor.yml', '.drone.yml', '.woodpecker/ci.yaml', '.travis.yml', 'buildspec.yml'],
  ...[
    'postcss.config.mjs',
    'vitest.projects.ts',
    'pytest.toml',
    'phpunit.xml.dist',
    'phpunit.dist.xml',
    'a.egg-info/PKG-INFO',
    'x-1.dist-info/entry_points.txt',
  ],
  ...[
    '.cursor/rules/a.mdc',
    '.windsurfrules',
    'GEMINI.md',
    'CLAUDE.local.md',
    'agents.md',
    '.github/copilot-instructions.md',
  ],
  ...[
    '.newtool/run.js',
    '.newrc',
    'packages/a/.hidden/hook.sh',
    'Package.JSON',
    'vendor/lib/.gitattributes',
    'hooks/pre-commit',
  ],
  'packages/a/.nvmrc',
  'packages/a/.python-version',
  'mise.toml',
])('%s is sensitive', (path) => {
  expect(classifyPath(policy, path).sensitive).toBe(true);
});

test('ordinary files are not sensitive', () => {
  const ordinary = ['src/a.ts', 'src/package.ts', 'README.md', 'test/a.test.ts', 'docs/docker.md', 'src/config.ts'];
  expect(ordinary.filter((path) => classifyPath(policy, path).sensitive)).toEqual([]);
});

test('what may be written is held to a size and a sandbox', () => {
  const request = { syscall: 'fs.write', path: 'src/a.ts', state: 'code_writing', mode: 'strict', tags: [] } as const;
  const { constraints } = decide(policy, request, { nowMonotonicMs: 0 });
  expect(unmetConstraints(constraints, { sizeBytes: 10, template: 'code-executor' })).toEqual([]);
  expect(unmetConstraints(constraints, { sizeBytes: 5 * 1024 ** 2, template: 'code-executor' })).not.toEqual([]);
  expect(unmetConstraints(constraints, { sizeBytes: 10 })).not.toEqual([]);
  expect(decide(policy, { ...request, sizeBytes: 5 * 1024 ** 2 }, { nowMonotonicMs: 0 }).decision).toBe('deny');
});

test('exemptions are for files of their category', () => {
  expect(pathsOutsideExemption(policy, 'documentation', ['README.md', 'docs/a.md', 'LICENSE'])).toEqual([]);
  expect(pathsOutsideExemption(policy, 'documentation', ['README.md', 'src/a.ts'])).toEqual(['src/a.ts']);
  expect(pathsOutsideExemption(policy, 'config_change', ['config/a.yaml', 'Dockerfile'])).toEqual([]);
  expect(policy.tddExemptions.get('type_refactor')?.typeOnlyChange).toBe(true);
});

test.each([
  ['documentation', 'notes.txt', false],
  ['documentation', 'docs/a.mdx', false],
  ['documentation', 'AGENTS.md', true],
  ['documentation', 'CMakeLists.txt', false],
  ['documentation', 'requirements.txt', false],
  ['documentation', 'docs.md/index.js', false],
  ['documentation', 'test/README.md', false],
  ['config_change', 'app.json', true],
  ['config_change', 'config/app.json', false],
  ['config_change', 'packages/a/tsconfig.build.json', true],
  ['config_change', '.github/workflows/ci.yml', true],
  ['config_change', 'src/config.json/index.js', false],
  ['config_change', 'src/Dockerfile/run.js', false],
  ['config_change', 'tests/fixtures/a.json', false],
  ['asset_update', 'logo.png', true],
  ['asset_update', 'logo.svg', false],
  ['asset_update', 'icons.svg/render.ts', false],
  ['type_refactor', 'src/types.d.ts', true],
  ['type_refactor', 'src/a.ts', false],
  ['type_refactor', 'test/types.d.ts', false],
] as const)('the exemption %s for %s: %s', (category, path, covered) => {
  expect(pathsOutsideExemption(policy, category, [path])).toEqual(covered ? [] : [path]);
});

test('the figures are those of the specification', () => {
  expect(policy.review.maxDiffLines).toBe(500);
  expect(policy.scheduler).toMatchObject({
    globalMax: 4,
    perTemplate: { 'ai-provider': 2, 'code-executor': 2, 'integration-test': 1, 'policy-sandbox': 1 },
  });
  expect(policy.audit).toEqual({ retentionDays: 90, maxSizeBytes: 1024 ** 3, rotation: 'daily' });
  expect(policy.techDebt).toEqual({
    baselineFile: '.fluffy/coverage-baseline.json',
    minDelta: 0,
    warningThreshold: -2,
    lockoutThreshold: -5,
  });
  // The hosts of tests are those of the user's configuration.
  expect(policy.networkWhitelist.has('integration-test')).toBe(false);
});
