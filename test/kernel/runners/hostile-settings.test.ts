import { describe, expect, test } from 'vitest';
import { findChecks } from '../../../src/kernel/runners/checks/find-checks.ts';
import { RUNNERS } from '../../../src/kernel/runners/registry.ts';

/** Each would take minutes in a pattern that can divide it in many ways, or looks for an end from every place. */
const PIECES = [' ', '\n', '\t', ' \n', '<!--', '<testsuite ', '<testsuite>', '<directory ', '/*', '"\\', '[', '#'];
const TEXTS = PIECES.map((piece) => [piece, piece.repeat(100_000 / piece.length)] as const);
const NAMES = ['a.test.js', 'a_test.go', 'test_a.py', 'aTest.php', 'a_spec.rb', 'A.java', 'a.rs'];

describe('settings of a project that are made to take long', () => {
  test.each(TEXTS)('are searched for checks in time by their length: %j', (_, text) => {
    const directory = { env: { PATH: '/usr/bin' }, projectRoot: '/project', image: 'node', text: () => text } as const;
    expect(findChecks(directory)).toEqual(expect.any(Array));
  });

  test.each(TEXTS)('are searched for runners in time by their length: %j', (_, text) => {
    const project = { has: () => true, names: () => NAMES, text: () => text };
    expect(RUNNERS.map((runner) => runner.detect(project))).toHaveLength(RUNNERS.length);
  });
});
