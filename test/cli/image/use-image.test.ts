import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDevcontainer } from '../../../src/cli/image/devcontainer.ts';
import { useImage } from '../../../src/cli/image/use-image.ts';
import { loadUserConfig, userConfigFile } from '../../../src/cli/config/load-config.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { cliServices } from '../../support/cli/cli-services.ts';

const FILE = '.devcontainer/devcontainer.json';
let project: JobProject;
beforeEach(() => {
  project = makeJobProject();
});
afterEach(() => project.remove());

function put(path: string, text: string): void {
  mkdirSync(dirname(join(project.root, path)), { recursive: true });
  writeFileSync(join(project.root, path), text);
}

describe('devcontainer.json', () => {
  test.each([
    ['{ "image": "golang:1.24" }', { kind: 'image', file: FILE, image: 'golang:1.24' }],
    [
      '// "image": "other"\n{ /* "image": "other" */ "name": "a // b",\n "image": "golang:1.24", // why\n }',
      { kind: 'image', file: FILE, image: 'golang:1.24' },
    ],
    ['{ "build": { "dockerfile": "Dockerfile" } }', { kind: 'other', file: FILE }],
    ['{ "image": "${localEnv:IMAGE}" }', { kind: 'other', file: FILE }],
    ['{ "image": "a\\u001b[2J" }', { kind: 'other', file: FILE }],
    ['{ "image": ["a"] }', { kind: 'other', file: FILE }],
    ['{ "image": ', { kind: 'other', file: FILE }],
    // What YAML would take, and warn of with the text itself on the terminal.
    ['{ "image": "golang:1.24", "a": !\u001b[2J 1 }', { kind: 'other', file: FILE }],
    ['image: golang:1.24', { kind: 'other', file: FILE }],
  ])('%s', (text, expected) => {
    put(FILE, text);
    expect(readDevcontainer(project.root)).toEqual(expected);
  });

  test('is read at its second place too, and never through a link', () => {
    expect(readDevcontainer(project.root)).toEqual({ kind: 'none' });
    put('elsewhere.json', '{ "image": "golang:1.24" }');
    mkdirSync(join(project.root, '.devcontainer'));
    symlinkSync('../elsewhere.json', join(project.root, FILE));
    expect(readDevcontainer(project.root)).toEqual({ kind: 'unreadable', file: FILE });
    rmSync(join(project.root, FILE));
    put('.devcontainer.json', '{ "image": "golang:1.24" }');
    expect(readDevcontainer(project.root)).toMatchObject({ kind: 'image', file: '.devcontainer.json' });
    put(FILE, `{ "image": "golang:1.24", "a": "${'a'.repeat(1024 * 1024)}" }`);
    expect(readDevcontainer(project.root)).toEqual({ kind: 'unreadable', file: FILE });
  });
});

describe('fluffy image use', () => {
  const input = { project: undefined, allowRoot: false, verbose: false, json: false, none: false };
  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: dirname(project.root),
    DOCKER_HOST: 'unix:///nowhere/engine.sock',
  });

  function use(more: { readonly reference?: string; readonly none?: boolean }, answer: string | null) {
    giveAway(project.root);
    const terminal = Object.assign(new PassThrough(), { isTTY: answer !== null, setRawMode: () => undefined });
    if (answer === null) terminal.end();
    else terminal.write(`${answer}\n`);
    const services = cliServices({ env: environment(), stdin: terminal as unknown as NodeJS.ReadStream });
    return useImage({ ...input, project: project.root, reference: undefined, ...more }, services);
  }

  test.each([
    ['without a terminal', null],
    ['after a no', 'n'],
    ['after an empty line', ''],
  ])('does not take the image that the project names %s', async (_, answer) => {
    put(FILE, '{ "image": "golang:1.24" }');
    await expect(use({}, answer)).rejects.toMatchObject({
      code: 'usage',
      why: expect.stringContaining('was not confirmed') as string,
      fix: expect.stringContaining('fluffy image use golang:1.24') as string,
    });
  });

  test('goes on with it after a yes', async () => {
    put(FILE, '{ "image": "golang:1.24" }');
    await expect(use({}, 'y')).rejects.toMatchObject({ code: 'engine_address_unreachable' });
  });

  test.each([
    ['a project without one', null, 'has no devcontainer.json'],
    ['one that is built', '{ "build": {} }', 'names no image'],
  ])('says what to do in %s', async (_, text, what) => {
    if (text !== null) put(FILE, text);
    await expect(use({}, 'y')).rejects.toMatchObject({ code: 'usage', why: expect.stringContaining(what) as string });
  });

  test('refuses what is not the name of an image before it asks the engine', async () => {
    await expect(use({ reference: 'a b' }, null)).rejects.toMatchObject({ code: 'usage' });
  });

  test('--none takes out the image of this project alone', async () => {
    const file = userConfigFile(environment());
    mkdirSync(dirname(file), { recursive: true });
    const id = `sha256:${'a'.repeat(64)}`;
    const of = (root: string) => ({ project: root, image: 'golang:1.24', id });
    writeFileSync(file, JSON.stringify({ sandbox: { image: [of(project.root), of('/elsewhere')] } }));
    expect(await use({ none: true }, null)).toBe(0);
    expect((await loadUserConfig(file)).sandbox.image).toEqual([of('/elsewhere')]);
  });
});
