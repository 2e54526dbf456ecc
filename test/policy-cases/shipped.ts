import type { PolicyRequest, PolicyVerdict } from '../../src/contracts/policy.ts';
import type { SessionState } from '../../src/contracts/workflow-states.ts';

/** What the policy that ships says, for repositories in several languages. Mode is strict unless a case says otherwise. */
export interface ShippedCase {
  readonly title: string;
  readonly syscalls: readonly string[];
  readonly states: readonly SessionState[];
  /** Each is asked by itself; none means a call without a path. */
  readonly paths?: readonly string[];
  readonly request?: Partial<PolicyRequest>;
  readonly expect: PolicyVerdict;
  readonly rule?: string;
}

export const WRITES = ['fs.write', 'fs.edit', 'fs.delete', 'fs.move'] as const;
const READS = ['fs.read', 'fs.list', 'fs.exists', 'search.grep', 'search.glob'] as const;
const ALL_STATES: readonly SessionState[] = [
  'idle',
  'planning',
  'test_writing',
  'code_writing',
  'validating',
  'reviewing',
  'committing',
  'exploring',
  'retroactive_testing',
];

export const TESTS = [
  'test/parse.js',
  'src/parse.test.ts',
  'src/parse.spec.tsx',
  'src/__tests__/parse.tsx',
  'src/__mocks__/fs.ts',
  'packages/core/test/helpers/make.ts',
  'tests/test_parse.py',
  'app/test_views.py',
  'app/views_test.py',
  'tests/conftest.py',
  'pkg/parse/parse_test.go',
  'pkg/parse/testdata/input.json',
  'tests/integration.rs',
  'e2e/login.ts',
  'src/__snapshots__/parse.test.ts.snap',
];

export const SOURCE = [
  'src/parse.ts',
  'lib/index.js',
  'app/views.py',
  'pkg/parse/parse.go',
  'src/main.rs',
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'README.md',
  'docs/guide.md',
  'src/contest.ts',
  'src/latest/index.ts',
  'src/testing-library.ts',
  'attest.py',
  '-rf',
  'src/env.ts',
];

export const SECRETS = [
  '.env',
  '.env.local',
  '.envrc',
  'packages/api/.env.production',
  'production.env',
  'tls/server.pem',
  'tls/server.key',
  '.ssh/id_ed25519',
  'id_rsa',
  '.npmrc',
  '.netrc',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.git-credentials',
  'terraform.tfstate',
  'infra/terraform.tfstate.backup',
  'infra/prod.tfvars',
  'service-account-prod.json',
  'config/secrets.yml',
  'test/fixtures/.env',
];

export const SHIPPED_CASES: readonly ShippedCase[] = [
  {
    title: 'the project can be read',
    syscalls: READS,
    states: ALL_STATES,
    paths: [...TESTS, ...SOURCE],
    expect: 'allow',
  },
  { title: 'the whole project can be searched and listed', syscalls: READS, states: ['planning'], expect: 'allow' },
  {
    title: 'secrets are neither read nor written',
    syscalls: [...READS, ...WRITES],
    states: ALL_STATES,
    paths: SECRETS,
    expect: 'deny',
    rule: 'secrets-are-out-of-reach',
  },
  {
    title: 'examples of secrets are open',
    syscalls: ['fs.read'],
    states: ['planning'],
    paths: ['.env.example', 'api/.env.sample', '.env.template', 'infra/prod.tfvars.example'],
    expect: 'allow',
  },
  {
    title: 'the inside of .git is closed',
    syscalls: ['fs.read', ...WRITES],
    states: ['code_writing'],
    paths: ['.git/config', '.git/HEAD', 'vendor/x/.git/hooks/pre-commit', '.git'],
    expect: 'deny',
  },
  {
    title: 'tests come first',
    syscalls: WRITES,
    states: ['test_writing', 'retroactive_testing'],
    paths: TESTS,
    expect: 'allow',
    rule: 'write-tests-first',
  },
  {
    title: 'source waits for red',
    syscalls: WRITES,
    states: ['test_writing', 'retroactive_testing'],
    paths: SOURCE,
    expect: 'deny',
    rule: 'source-after-red',
  },
  { title: 'source opens after red', syscalls: WRITES, states: ['code_writing'], paths: SOURCE, expect: 'allow' },
  {
    title: 'tests are frozen after red',
    syscalls: WRITES,
    states: ['code_writing'],
    paths: TESTS,
    expect: 'deny',
    rule: 'tests-are-frozen',
  },
  {
    title: 'nothing is written in any other state',
    syscalls: WRITES,
    states: ['idle', 'planning', 'validating', 'reviewing', 'committing'],
    paths: [...TESTS, ...SOURCE],
    expect: 'deny',
    rule: 'nothing-is-written-now',
  },
  {
    title: 'exploring is free',
    syscalls: WRITES,
    states: ['exploring'],
    paths: [...TESTS, ...SOURCE],
    request: { mode: 'explore' },
    expect: 'allow',
  },
  {
    title: 'an exemption in strict mode is for files of its categories',
    syscalls: WRITES,
    states: ['exploring'],
    paths: ['README.md', 'config/app.yaml', 'src/types.d.ts', 'assets/logo.png', '.github/workflows/ci.yml'],
    expect: 'allow',
  },
  {
    title: 'an exemption in strict mode does not open source',
    syscalls: WRITES,
    states: ['exploring'],
    paths: ['src/a.ts', 'main.go', 'app/views.py'],
    expect: 'deny',
    rule: 'exemptions-are-narrow',
  },
  {
    title: 'nothing of fluffy or git is written, whatever the mode',
    syscalls: WRITES,
    states: ALL_STATES,
    paths: [
      '.fluffy/policy.yaml',
      '.fluffy/config.yaml',
      'sub/.fluffy/x',
      '.git/hooks/pre-commit',
      'node_modules/fluffy/dist/kernel.mjs',
    ],
    request: { mode: 'debug' },
    expect: 'deny',
  },
  {
    title: 'tests run where it makes sense',
    syscalls: ['test.run'],
    states: ['planning', 'test_writing', 'code_writing', 'validating', 'exploring', 'retroactive_testing'],
    expect: 'allow',
  },
  {
    title: 'tests do not run where a decision is due',
    syscalls: ['test.run'],
    states: ['idle', 'reviewing', 'committing'],
    expect: 'deny',
  },
  {
    title: 'tests with network need a human',
    syscalls: ['test.run'],
    states: ['code_writing'],
    request: { template: 'integration-test' },
    expect: 'require_review',
  },
  {
    title: 'history can be read',
    syscalls: ['git.status', 'git.diff', 'git.log'],
    states: ALL_STATES,
    expect: 'allow',
  },
  { title: 'a commit is made at review', syscalls: ['git.commit'], states: ['reviewing'], expect: 'allow' },
  {
    title: 'a commit is made at no other time',
    syscalls: ['git.commit'],
    states: ALL_STATES.filter((state) => state !== 'reviewing'),
    expect: 'deny',
  },
  { title: 'no shell in strict mode', syscalls: ['shell.run', 'container.run'], states: ALL_STATES, expect: 'deny' },
  {
    title: 'no shell in explore mode',
    syscalls: ['shell.run'],
    states: ALL_STATES,
    request: { mode: 'explore' },
    expect: 'deny',
  },
  {
    title: 'a shell by review in debug mode',
    syscalls: ['shell.run'],
    states: ['exploring'],
    request: { mode: 'debug' },
    expect: 'require_review',
  },
  {
    title: 'the workflow can be driven',
    syscalls: [
      'plan.complete',
      'workflow.request_exemption',
      'workflow.revise_tests',
      'task.give_up',
      'session.message',
    ],
    states: ALL_STATES,
    expect: 'allow',
  },
  {
    title: 'explore mode can be asked for',
    syscalls: ['session.set_mode'],
    states: ['idle'],
    request: { mode: 'explore' },
    expect: 'allow',
  },
  {
    title: 'debug mode needs a human',
    syscalls: ['session.set_mode'],
    states: ['idle'],
    request: { mode: 'debug' },
    expect: 'require_review',
  },
  {
    title: 'a policy change needs a human',
    syscalls: ['policy.update', 'plugin.install'],
    states: ['idle'],
    expect: 'require_review',
  },
  {
    title: 'a known model can be asked',
    syscalls: ['ai.generate'],
    states: ['planning'],
    request: { host: 'api.anthropic.com:443' },
    expect: 'allow',
  },
  {
    title: 'a model of the user can be asked',
    syscalls: ['ai.generate'],
    states: ['planning'],
    request: { host: '127.0.0.1:11434', tags: ['user_endpoint'] },
    expect: 'allow',
  },
  {
    title: 'a recording can be played',
    syscalls: ['ai.generate'],
    states: ['planning'],
    request: { plugin: 'provider:replay' },
    expect: 'allow',
  },
  {
    title: 'no other host is a model',
    syscalls: ['ai.generate'],
    states: ['planning'],
    request: { host: 'api.anthropic.com.evil.example:443' },
    expect: 'deny',
  },
  {
    title: 'a known model on another port is another host',
    syscalls: ['ai.generate'],
    states: ['planning'],
    request: { host: 'api.openai.com:8443' },
    expect: 'deny',
  },
  {
    title: 'what nobody has heard of is denied',
    syscalls: ['fs.chmod', 'net.listen', 'kernel.exit'],
    states: ALL_STATES,
    expect: 'deny',
  },
];
