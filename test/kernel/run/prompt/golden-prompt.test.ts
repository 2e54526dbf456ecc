import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOTE_TAGS } from '../../../../src/kernel/context/tagged-note.ts';
import { SYSTEM_PARAGRAPHS } from '../../../../src/kernel/run/prompt/system-prompt.ts';
import { runSession } from '../../../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../../../src/kernel/session/user-messages.ts';
import { TOOLS } from '../../../../src/kernel/tools/registry.ts';
import { modelAnswer } from '../../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import { SAMPLE_PROJECTS } from './sample-projects.ts';
import type { SampleProject } from './sample-projects.ts';

const GOLDEN = '../../../golden/prompt';

/** All that a model reads before its first answer, except for the tools. */
async function promptOf({
  files,
  cwd = '',
  testCommand,
  subjects = [],
  uncommitted = [],
}: SampleProject): Promise<string> {
  const kernel = testKernel({
    state: 'planning',
    files,
    testCommand: testCommand ?? null,
    options: { cwd, limits: { max_turns: 50 } },
    commits: {
      recentSubjects: () => Promise.resolve([...subjects]),
      dirtyPaths: () => Promise.resolve([...uncommitted]),
      base: () => Promise.resolve({ kind: 'ok', branch: 'refs/heads/main', head: '0'.repeat(40) }),
    },
  });
  kernel.sandboxes.turns.push(modelAnswer('Done.'));
  addUserMessage(kernel.session, { text: 'Add a cache.' });
  await runSession(kernel.services, kernel.session, new AbortController().signal);
  const [request] = kernel.sandboxes.requests;
  const said = request?.messages.map((message) => (message.role === 'user' ? message.text : '')) ?? [];
  return [request?.system ?? '', ...said].join('\n\n---\n\n');
}

describe('the whole prompt', () => {
  it.each(Object.entries(SAMPLE_PROJECTS))('of the project %s', async (name, project) => {
    await expect(`${await promptOf(project)}\n`).toMatchFileSnapshot(`${GOLDEN}/${name}.txt`);
  });

  it('has tools that describe themselves', async () => {
    const text = TOOLS.specs().map(({ name, description }) => `${name}: ${description}`);
    await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot(`${GOLDEN}/tools.txt`);
  });

  it('lets no file leave its note, and imports nothing that is closed or outside', async () => {
    const prompt = await promptOf(SAMPLE_PROJECTS['hostile'] as SampleProject);
    expect(prompt).not.toContain('TOKEN');
    expect(prompt).not.toContain('\u001b');
    expect(prompt.match(/<\/(environment|project|project_notes)>/g)).toEqual([
      '</environment>',
      '</project_notes>',
      '</project>',
    ]);
  });

  it('is explained paragraph by paragraph', () => {
    const page = readFileSync('docs/prompt.md', 'utf8');
    const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
    const notes = NOTE_TAGS.filter((tag) => !['summary', 'kernel_record', 'project_notes', 'user_notes'].includes(tag));
    expect(headings).toEqual([...SYSTEM_PARAGRAPHS.map(({ title }) => title), ...notes.map((tag) => `\`<${tag}>\``)]);
  });
});
