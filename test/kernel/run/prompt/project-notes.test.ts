import { describe, expect, it } from 'vitest';
import { projectNotes } from '../../../../src/kernel/run/prompt/project-notes.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const KIB = 1024;

async function notesOf(files: Record<string, string>, cwd = ''): Promise<string> {
  const { services, session, workspace } = testKernel({ files, options: { cwd } });
  return projectNotes(services, session, workspace);
}

describe('the notes of a project', () => {
  it('are those from the user’s directory upwards, the nearest first', async () => {
    const files = { 'AGENTS.md': 'root', 'a/AGENTS.md': 'of a', 'a/b/c/AGENTS.md': 'of c', 'x/AGENTS.md': 'of x' };
    expect(await notesOf(files, 'a/b')).toBe('# a/AGENTS.md\nof a\n\n# AGENTS.md\nroot');
  });

  it('are cut at 32 KiB in all', async () => {
    const notes = await notesOf({ 'AGENTS.md': 'r'.repeat(40 * KIB), 'a/AGENTS.md': 'a'.repeat(30 * KIB) }, 'a');
    expect(notes.match(/a/g)?.length).toBeGreaterThanOrEqual(30 * KIB);
    expect(notes.match(/r/g)).toHaveLength(2 * KIB);
  });

  it('leave out what comes after the limit', async () => {
    const notes = await notesOf({ 'AGENTS.md': 'root', 'a/AGENTS.md': 'a'.repeat(32 * KIB) }, 'a');
    expect(notes).not.toContain('# AGENTS.md');
  });

  it('are none without a file', async () => {
    expect(await notesOf({ 'README.md': 'x' })).toBe('');
  });
});
