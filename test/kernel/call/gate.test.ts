import { describe, expect, it } from 'vitest';
import { SESSION_STATES } from '../../../src/contracts/session/workflow-states.ts';
import type { SessionState } from '../../../src/contracts/session/workflow-states.ts';
import { whyClosed, whyOffline } from '../../../src/kernel/call/gate.ts';
import { parseHostPattern } from '../../../src/kernel/policy/index.ts';
import type { FileKind } from '../../../src/kernel/call/gate.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';

/** Why the state closes a tool, with files that it writes; null if it is open. */
function closed(name: string, state: SessionState, written: Readonly<Record<string, FileKind>> = {}): string | null {
  const tool = TOOLS.find(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const files = Object.entries(written).map(([path, kind]) => ({ path, kind }));
  const error = whyClosed(TOOLS, tool, files, state);
  if (error !== null) expect(error).toMatchObject({ code: 'tool_unavailable', retryable: false });
  return error === null ? null : error.message;
}

describe('files', () => {
  const TESTS_FIRST = 'it can be written once test.run has seen a new test fail. Write and run the tests first.';
  it.each<[SessionState, FileKind, string | null]>([
    ['test_writing', 'test', null],
    ['test_writing', 'other', null],
    ['test_writing', 'source', `a is source code; ${TESTS_FIRST}`],
    [
      'test_writing',
      'docs',
      `a is documentation; ${TESTS_FIRST} To change only documentation, call workflow.request_exemption.`,
    ],
    ['code_writing', 'source', null],
    ['code_writing', 'docs', null],
    ['code_writing', 'other', null],
    [
      'code_writing',
      'test',
      'a is a test, frozen since the source was opened. If it has to change, call workflow.revise_tests.',
    ],
    ['retroactive_testing', 'test', null],
    ['retroactive_testing', 'other', null],
    ['retroactive_testing', 'source', 'a is source code; in this state only tests are written.'],
    ['retroactive_testing', 'docs', 'a is documentation; in this state only tests are written.'],
    ['exploring', 'test', null],
    ['exploring', 'docs', null],
    ['exploring', 'source', null],
    ['exploring', 'other', null],
  ])('in %s, one that is %s', (state, kind, why) => {
    expect(closed('fs.write', state, { a: kind })).toBe(
      why === null ? null : `fs.write on a is not open in state ${state}. ${why}`,
    );
  });

  it('are closed together if one of them is', () => {
    expect(closed('fs.move', 'test_writing', { 'test/a.ts': 'test', 'src/a.ts': 'source' })).toContain(
      'fs.move on src/a.ts is not open in state test_writing.',
    );
  });
});

describe('tools', () => {
  const READS = TOOLS.withEffect('read');
  const PACKAGES = ['deps.add', 'deps.install'];
  const WRITES = TOOLS.withEffect('write');
  const TALK = ['task.give_up', 'user.ask', 'todo.update'];
  it.each<[SessionState, readonly string[]]>([
    ['idle', ['shell.run']],
    ['planning', ['shell.run', 'deps.install', 'test.run', 'plan.complete', 'workflow.request_exemption', ...TALK]],
    [
      'test_writing',
      [...WRITES, ...PACKAGES, 'test.run', 'shell.run', 'plan.complete', 'workflow.request_exemption', ...TALK],
    ],
    ['code_writing', [...WRITES, ...PACKAGES, 'test.run', 'shell.run', 'workflow.revise_tests', ...TALK]],
    ['validating', ['shell.run', ...TALK]],
    ['reviewing', ['shell.run', 'git.commit', 'workflow.revise_tests', ...TALK]],
    ['committing', ['shell.run']],
    ['exploring', [...WRITES, ...PACKAGES, 'test.run', 'shell.run', ...TALK]],
    ['retroactive_testing', [...WRITES, ...PACKAGES, 'test.run', 'shell.run', ...TALK]],
  ])('in %s are the reads and %j', (state, more) => {
    expect([...TOOLS.availableIn(state)].sort()).toEqual([...READS, ...more].sort());
    for (const name of TOOLS.names) expect(closed(name, state) === null).toBe([...READS, ...more].includes(name));
  });

  it.each([
    [
      'plan.complete',
      'code_writing',
      'A plan is made before the source is written. To plan again now, call workflow.revise_tests first.',
    ],
    ['fs.write', 'planning', 'Writing opens with plan.complete (tests first), and the source with a failing new test.'],
    ['git.commit', 'code_writing', 'A commit opens when test.run has seen the whole suite pass.'],
    ['workflow.revise_tests', 'exploring', 'It leads back from code_writing to test_writing.'],
    ['workflow.request_exemption', 'reviewing', 'An exemption can be requested before the source is opened.'],
    ['test.run', 'idle', 'It opens with the next task.'],
  ] as const)('%s says in %s what opens it', (name, state, opens) => {
    expect(closed(name, state)).toContain(`${name} is not open in state ${state}. ${opens} Open now: `);
  });

  it.each(['fs.write', 'fs.delete', 'test.run'])('after green, %s says that only the commit is left', (name) => {
    expect(closed(name, 'reviewing')).toContain('The whole suite passes and the change is complete: call git.commit.');
  });

  it.each(SESSION_STATES)('in %s, a list of what is open is never empty', (state) => {
    expect(closed('plan.complete', state) ?? 'Open now: fs.read').toContain('Open now: fs.read');
  });
});

describe('a network for tests', () => {
  const listed = (...hosts: string[]) => ({
    networkWhitelist: new Map([
      [
        'integration-test',
        hosts.flatMap((host) => {
          const parsed = parseHostPattern(host);
          return parsed.kind === 'ok' ? [parsed.host] : [];
        }),
      ],
    ]),
  });
  const unlisted = { networkWhitelist: new Map() };
  const configured = (...hosts: string[]) => ({
    services: [],
    groups: { staging: hosts },
    proxy: false,
    variables: {},
  });
  const asked = { tool: { name: 'test.run' }, network: 'integration-test' };

  it('is not needed by most', () => {
    expect(whyOffline(unlisted, undefined, { ...asked, network: null })).toBeNull();
  });

  it.each([
    ['the user has configured hosts, and policy has no list of its own', unlisted, ['db.example:5432']],
    ['policy lists them', listed('db.example', '*.example:443'), ['db.example:5432', 'a.example:443']],
  ])('is open where %s', (_, policy, hosts) => {
    expect(whyOffline(policy, configured(...hosts), asked)).toBeNull();
  });

  it.each([
    [
      'no host is configured',
      unlisted,
      undefined,
      'the configuration of the user opens no host to the tests of this project (test.networks)',
    ],
    [
      'services alone are configured',
      unlisted,
      configured(),
      'the configuration of the user opens no host to the tests of this project (test.networks)',
    ],
    [
      'policy lists others',
      listed('db.example:5432'),
      configured('db.example:5432', '*.example:443'),
      'policy closes *.example:443 to them (network_whitelist, group integration-test)',
    ],
    [
      'the list of the policy is empty',
      listed(),
      configured('db.example:5432'),
      'policy closes db.example:5432 to them (network_whitelist, group integration-test)',
    ],
  ])('is denied where %s', (_, policy, network, why) => {
    expect(whyOffline(policy, network, asked)).toEqual({
      code: 'policy_denied',
      message: `test.run with network is denied: ${why}. Run it without network, with tests that need none.`,
      retryable: false,
    });
  });
});
