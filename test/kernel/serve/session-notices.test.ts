import { expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import type { TestCommand } from '../../../src/contracts/session/session-protocol.ts';
import { reportStarted } from '../../../src/kernel/serve/session-notices.ts';
import type { Services } from '../../../src/kernel/services.ts';
import type { Session } from '../../../src/kernel/session/session.ts';

const NOTE = { level: 'info', what: 'Node 20.18.1 from nvm, requested by .nvmrc', why: 'w', fix: 'f' } as const;
const command = (runner: string, others: readonly string[] = []): TestCommand => ({
  runner,
  cwd: '',
  args: [],
  others: others.map((each) => ({ runner: each, cwd: each, args: [] })),
});

it.each([
  ['vitest', command('vitest'), ['project_node']],
  ['a package with jest', command('go-test', ['jest']), ['project_node']],
  ['pytest', command('pytest'), ['project_python']],
  ['a package with unittest', command('jest', ['unittest']), ['project_node', 'project_python']],
  ['bun', command('bun-test'), []],
  ['no tests', null, []],
])('Node and Python of the project are shown where tests run with them: %s', (_name, test_command, expected) => {
  const said: EventBody[] = [];
  const services = {
    options: { project_root: '/p', images: {}, node_note: NOTE, python_note: NOTE },
    tools: () => ({ names: [] }),
    policy: () => ({ hash: '0' }),
  } as unknown as Services;
  const session = {
    mode: 'explore',
    snapshot: { options: { limits: {}, test_command, model: 'replay/x' } },
    emit: (event: EventBody) => void said.push(event),
  } as unknown as Session;
  reportStarted(services, session, []);
  const notices = said.filter(({ type }) => type === 'notice');
  expect(notices).toEqual(expected.map((code) => ({ type: 'notice', ...NOTE, code })));
});
