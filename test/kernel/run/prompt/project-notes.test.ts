import { describe, expect, it } from 'vitest';
import { projectNotes } from '../../../../src/kernel/run/prompt/project-notes.ts';
import { importsOf } from '../../../../src/kernel/run/prompt/note-imports.ts';
import { runSession } from '../../../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const KIB = 1024;

async function notesOf(files: Record<string, string>, cwd = ''): Promise<string> {
  const { services, session, workspace } = testKernel({ files, options: { cwd } });
  return projectNotes({ services, session, workspace });
}

describe('the notes of a project', () => {
  it('are those from the user’s directory upwards, the nearest first', async () => {
    const files = { 'AGENTS.md': 'root', 'a/AGENTS.md': 'of a', 'a/b/c/AGENTS.md': 'of c', 'x/AGENTS.md': 'of x' };
    expect(await notesOf(files, 'a/b')).toBe('# a/AGENTS.md\nof a\n\n# AGENTS.md\nroot');
  });

  it('are cut at 32 KiB in all, which is said', async () => {
    const notes = await notesOf({ 'AGENTS.md': 'r'.repeat(40 * KIB), 'a/AGENTS.md': 'a'.repeat(30 * KIB) }, 'a');
    expect(notes.match(/a/g)?.length).toBeGreaterThanOrEqual(30 * KIB);
    expect(notes.match(/r{100,}/g)?.join('')).toHaveLength(2 * KIB);
    expect(notes).toContain(`(${38 * KIB} bytes left out; fs.read shows them)`);
  });

  it('are less in a small window', async () => {
    const { services, session, workspace } = testKernel({
      files: { 'AGENTS.md': 'r'.repeat(40 * KIB) },
      options: { window_tokens: 16_000 },
    });
    expect((await projectNotes({ services, session, workspace })).length).toBeLessThan(5_000);
  });

  it('name what comes after the limit', async () => {
    const notes = await notesOf({ 'AGENTS.md': 'root', 'a/AGENTS.md': 'a'.repeat(32 * KIB) }, 'a');
    expect(notes).toContain('# AGENTS.md\n(left out: no room; fs.read shows it)');
  });

  it('are one where CLAUDE.md is a copy, and both where it is not', async () => {
    expect(await notesOf({ 'AGENTS.md': 'same', 'CLAUDE.md': 'same' })).toBe('# AGENTS.md\nsame');
    expect(await notesOf({ 'AGENTS.md': 'one', 'CLAUDE.md': 'two' })).toBe('# AGENTS.md\none\n\n# CLAUDE.md\ntwo');
  });

  it('take in what they import, once, and nothing that policy closes', async () => {
    const files = {
      'CLAUDE.md': '@docs/style.md\n- @AGENTS.md\n@.env\n@docs/style.md\n',
      'AGENTS.md': 'Two spaces.',
      'docs/style.md': '@../AGENTS.md\n@deep.md',
      'docs/deep.md': 'Deep.',
      '.env': 'TOKEN=secret',
    };
    const notes = await notesOf(files);
    expect(notes.match(/^# .*$/gm)).toEqual(['# AGENTS.md', '# CLAUDE.md', '# docs/style.md', '# docs/deep.md']);
    expect(notes).not.toContain('TOKEN');
  });

  it('are none without a file', async () => {
    expect(await notesOf({ 'README.md': 'x' })).toBe('');
  });
});

it.each([
  ['@docs/a.md', ['x/docs/a.md']],
  ['- @import ./b.md', ['x/b.md']],
  ['@../c.md', ['c.md']],
  ['@../../outside.md', []],
  ['@/etc/passwd', []],
  ['@~/notes.md', []],
  ['```\n@code.md\n```\n@after.md', ['x/after.md']],
  ['Mail me @home', []],
  ['mail@example.org', []],
])('%j imports %j', (text, paths) => {
  expect(importsOf(text, 'x/CLAUDE.md')).toEqual(paths);
});

describe('the notes of a directory', () => {
  it('come behind the first call there, once', async () => {
    const kernel = testKernel({
      state: 'planning',
      files: { 'lib/AGENTS.md': 'Pure functions.', 'lib/deep/a.js': '1', 'src/b.js': '2' },
    });
    const read = (path: string) => modelAnswer('', [{ tool: 'fs.read', input: { path } }]);
    kernel.sandboxes.turns.push(
      read('src/b.js'),
      read('lib/deep/a.js'),
      read('lib/deep/../deep/a.js'),
      modelAnswer('ok'),
    );
    addUserMessage(kernel.session, { text: 'Look.' });
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    const notes = kernel.session.messages.flatMap((message, index) =>
      message.role === 'user' && message.text.includes('Pure functions.') ? [index] : [],
    );
    expect(notes).toHaveLength(1);
    expect(kernel.session.messages[(notes[0] ?? 0) - 1]?.role).toBe('tool');
    expect(kernel.session.snapshot.notes_sent.folders).toEqual(['src', 'lib/deep', 'lib']);
  });
});
