import { describe, expect, it } from 'vitest';
import { ensureTestTool, TEST_TOOLS } from '../../../src/host/setup/ensure-test-tool.ts';
import { fakeMachine } from './fake-machine.ts';

describe.each(TEST_TOOLS)('$program for $purpose', (tool) => {
  const INSTALL = `apt-get install -y -q --no-install-recommends ${tool.packages.join(' ')}`;

  it.each([
    ['is left alone when it is there', { programs: [tool.program, 'apt-get'], isRoot: true }, 'given', 'ready', []],
    [
      'is installed with consent',
      { programs: ['apt-get'], isRoot: true },
      'given',
      'ready',
      ['apt-get update -q', INSTALL],
    ],
    ['is not installed without consent', { programs: ['apt-get'], isRoot: true }, 'refused', 'missing', []],
    [
      'is not installed by a user who cannot become root',
      { programs: ['apt-get'], isRoot: false },
      'given',
      'missing',
      [],
    ],
    ['is not installed where there is no apt-get', { programs: [], isRoot: true }, 'given', 'missing', []],
  ] as const)('%s', async (_, { programs, isRoot }, kind, outcome, commands) => {
    const machine = fakeMachine({ programs, isRoot });
    expect(await ensureTestTool(tool, machine, { kind }, () => undefined)).toBe(outcome);
    expect(machine.ran).toEqual(commands);
  });
});
