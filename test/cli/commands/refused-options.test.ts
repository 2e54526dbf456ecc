import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line/read-command-line.ts';
import { ownProject, policySource, projectRootOf } from '../../../src/cli/commands/config-policy/policy-context.ts';

describe('options that a command does not take together, or at all, end with exit code 2', () => {
  it.each<[string[], RegExp]>([
    [['review', '--approve', '--reject', 'no'], /approve/],
    [['review', '--add-tests', '--reject', 'no'], /add-tests/],
    [['audit', 'verify', '--range', 'A..B', '--require', 'all'], /all/],
    [['audit', 'verify', '--range', 'A..B', '--require', 'mutants>=80'], /mutants>=N%/],
    [['audit', 'verify', '--keys', 'a'], /--range/],
    [['audit', 'log', '--limit', '0'], /--limit/],
    [['config', 'policy', 'explain'], /needs a syscall/],
    [['audit', 'log', '--limit', '1.5'], /--limit takes a whole number above 0/],
    [['audit', 'verify', '--range', 'A..B', '--anchors', 'f'], /--anchors is for the log, --range for commits/],
    [['audit', 'verify', '--require', 'verified'], /--keys and --require belong to --range/],
    [['config', 'policy', 'explain', 'fs.read', '--batch'], /has no place for "fs.read"/],
    [['image', 'use', 'golang:1.24', '--none'], /an image and --none exclude each other/],
    [['completion', 'powershell'], /powershell/],
  ])('%j', async (argv, why) => {
    await expect(readCommandLine(argv, '0.0.0')).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      why: expect.stringMatching(why) as unknown,
    });
  });
});

describe('a policy that is asked about', () => {
  const env = { HOME: '/nonexistent' };

  it('is that of a file alone where one is named', async () => {
    expect(await policySource('/some/policy.yaml', null, env)).toEqual({ kind: 'file', file: '/some/policy.yaml' });
  });

  it('is the shipped one outside of any project', async () => {
    expect(await policySource(undefined, null, env)).toMatchObject({ kind: 'project', projectRoot: null });
    expect(await projectRootOf('/usr')).toBeNull();
  });

  it('cannot be signed outside of a project', async () => {
    await expect(ownProject('sign', '/usr', env)).rejects.toMatchObject({
      code: 'usage',
      why: 'config policy sign needs a project',
    });
  });
});
