import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openProject } from '../../src/cli/open-project.ts';
import { resumeArguments } from '../../src/cli/run-task.ts';
import { sessionOptions } from '../../src/cli/session-options.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from '../platform/sqlite/database-fixture.ts';
import { makeJobProject } from '../support/job/job-project.ts';

/** A project with a session of this model, and a home without any key. */
async function optionsFor(model: string, session: string | undefined, given: { readonly model?: string } = {}) {
  const project = makeJobProject();
  const home = mkdtempSync(join(tmpdir(), 'fluffy-options-'));
  onTestFinished(() => {
    project.remove();
    rmSync(home, { recursive: true, force: true });
  });
  const env = { HOME: home, PATH: process.env['PATH'] };
  const opened = await openProject(project.root, true, env);
  const fixture = databaseFixture();
  const { database } = fixture.open();
  const snapshot = sessionSnapshot();
  const options = { ...snapshot.options, model };
  new SqliteSessionStore(database, fixture.clock).insert(sessionRow({ id: 's_aaaaaaaa' }), { ...snapshot, options });
  database.close();
  mkdirSync(dirname(opened.dirs.database), { recursive: true });
  copyFileSync(fixture.path, opened.dirs.database);
  const args = { ...resumeArguments(session, { project: project.root, allowRoot: true }), ...given };
  return sessionOptions({ args, env, opened, invokerDir: home, interactive: true });
}

const NO_KEY = { code: 'provider_key_missing' };

it.each(['latest', 's_aaaaaaaa'])(
  'a resumed session (%s) needs no key of another model than its own',
  async (session) => {
    expect(await optionsFor('ollama/qwen3', session)).toMatchObject({ model: 'ollama/qwen3' });
  },
);

it('a resumed session whose model is not known here needs no key of another', async () => {
  await expect(optionsFor('replay/old.jsonl', 'latest')).resolves.toBeDefined();
});

it.each([
  ['its own model', 'openai/gpt-5', {}],
  ['a model that is named', 'ollama/qwen3', { model: 'openai/gpt-5' }],
])('a resumed session needs the key of %s', async (_, model, given) => {
  await expect(optionsFor(model, 'latest', given)).rejects.toMatchObject(NO_KEY);
});
