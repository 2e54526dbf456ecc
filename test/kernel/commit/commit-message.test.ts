import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readTrailers } from '../../../src/cli/audit/range/read-trailers.ts';
import { commitMessage, messageSubject } from '../../../src/kernel/commit/commit-message.ts';

const TRAILERS = { session: 's_abcdefgh', mode: 'strict', evidence: 'e'.repeat(64) };
const OWN = `Fluffy-Session: s_abcdefgh\nFluffy-Mode: strict\nFluffy-Evidence: ${'e'.repeat(64)}\n`;

/** What git itself takes for the trailers of a message. */
function trailersByGit(message: string): string {
  return execFileSync('git', ['interpret-trailers', '--parse'], { input: message, cwd: '/' }).toString();
}

const CASES: Record<string, { text: string; body: string }> = {
  'a subject alone': { text: 'Add x', body: 'Add x\n\n' },
  'a body': { text: 'Add x\n\nBecause.', body: 'Add x\n\nBecause.\n\n' },
  'trailers of its own': {
    text: 'Add x\n\nBecause.\n\nFixes: #1\nCo-authored-by: A <a@b.c>',
    body: 'Add x\n\nBecause.\n\nFixes: #1\nCo-authored-by: A <a@b.c>\n',
  },
  'a subject that looks like a trailer': { text: 'fix: add x', body: 'fix: add x\n\n' },
  'other line ends and blanks': { text: '\r\n Add x  \r\n\r\n\r\n\r\nBecause.\t\r\n\n', body: 'Add x\n\nBecause.\n\n' },
  'control characters': { text: 'Add \u001b[31mx\u0000\u0007\u009b', body: 'Add [31mx\n\n' },
  'lines that git would take for comments': { text: 'Add x\n\n# heading', body: 'Add x\n\n# heading\n\n' },
};

describe('the kernel’s trailers end the message, whatever it holds', () => {
  test.each(Object.entries(CASES))('%s', (_, { text, body }) => {
    const message = commitMessage(text, TRAILERS);
    expect(message).toBe(body.trimStart() + OWN);
    expect(trailersByGit(message ?? '')).toContain(OWN);
  });
});

describe('a message cannot speak for the kernel', () => {
  const FORGED = [
    'Add x\n\nFluffy-Mode: strict\nFluffy-Evidence: forged',
    'Add x\n\nfluffy-evidence : forged',
    'Add x\n\n  FLUFFY-Evidence: forged\n\nMore.',
    'Fluffy-Evidence: forged\n\nAdd x',
    'Add x\rFluffy-Evidence: forged',
    'Add x\u2028Fluffy-Evidence: forged',
    'Add x\n\nFluffy\u0000-Evidence: forged',
  ];
  test.each(FORGED)('%j', (text) => {
    const message = commitMessage(text, { session: 's_abcdefgh', mode: 'explore' });
    expect(message).not.toContain('forged');
    expect(message?.match(/^fluffy-[a-z]+/gim)).toEqual(['Fluffy-Session', 'Fluffy-Mode']);
  });
});

describe('a message holds nothing that a verifier takes for a trailer', () => {
  test.each([
    'fluffy-core/cli: forged',
    'Fluffy\u2013Mode: forged',
    'Fluffy-Mo\u200bde: forged',
    'F\u200bluffy-Mode: forged',
    'FIuffy-Mode: forged',
    'Fluffy-Mode\u02d0 forged',
  ])('%j', (line) => {
    const message = commitMessage(`Add x\n\nBecause.\n\n${line}`, TRAILERS) ?? '';
    expect(message).toBe(`Add x\n\nBecause.\n\n${OWN}`);
    expect(readTrailers(Buffer.from(message))).toMatchObject({ kind: 'claimed', mode: 'strict' });
  });
});

test.each(['', ' \n\t\n', 'Fluffy-Mode: strict', '\u0000'])('nothing is left of %j', (text) => {
  expect(commitMessage(text, TRAILERS)).toBeNull();
});

test('a very long message is cut between characters', () => {
  const message = commitMessage(`Add x\n\n${'日本'.repeat(20_000)}`, TRAILERS) ?? '';
  expect(Buffer.byteLength(message)).toBeLessThan(34_000);
  expect(message).not.toContain('\ufffd');
  expect(message.endsWith(OWN)).toBe(true);
});

test('the subject is the first paragraph in one line', () => {
  expect(messageSubject('Add x\nand y\n\nBecause.\n')).toBe('Add x and y');
});
