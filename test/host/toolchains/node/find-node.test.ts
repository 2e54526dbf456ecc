import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FoundNode, findNode } from '../../../../src/host/toolchains/node/find-node.ts';

const ELF = '\x7fELF node';
/** Higher than that of any machine. */
const ASKED = '38';

let home: string;
let root: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'find-node-')));
  root = join(home, 'code/project');
  mkdirSync(root, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text, { mode: 0o755 });
}

const NVM = '.nvm/versions/node';
const wish = (text: string, file = '.nvmrc'): void => write(`code/project/${file}`, text);

interface Found extends FoundNode {
  /** Programs that were tried in the image. */
  readonly tried: readonly string[];
}

/** `says`: the version that a program in the image says; absent: what its directory says. */
async function found(
  env: Readonly<Record<string, string>> = {},
  says?: (version: string) => string | null,
): Promise<Found> {
  const tried: string[] = [];
  const { toolchain, note } = await findNode({
    projectRoot: root,
    env: { HOME: home, PATH: '', ...env },
    caches: join(home, 'caches'),
    stateHome: join(home, 'state'),
    imageId: 'sha256:1',
    onProgress: () => undefined,
    versionInImage: (directory, program) => {
      expect(readdirSync(directory)).toEqual([program]);
      tried.push(directory);
      const version = 'v38.1.0';
      return Promise.resolve(says === undefined ? version : says(version));
    },
  });
  return { toolchain, note, tried };
}

describe('the Node that a project asks for', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['nvm', `${NVM}/v38.1.0/bin/node`, {}],
    ['nvm', 'elsewhere/versions/node/v38.1.0/bin/node', { NVM_DIR: 'elsewhere' }],
    ['nvm', 'config/nvm/versions/node/v38.1.0/bin/node', { XDG_CONFIG_HOME: 'config' }],
    ['fnm', '.local/share/fnm/node-versions/v38.1.0/installation/bin/node', {}],
    ['volta', '.volta/tools/image/node/38.1.0/bin/node', {}],
    ['asdf', '.asdf/installs/nodejs/38.1.0/bin/node', {}],
    ['mise', '.local/share/mise/installs/node/38.1.0/bin/node', {}],
    ['nodenv', '.nodenv/versions/38.1.0/bin/node', {}],
    ['n', 'prefix/n/versions/node/38.1.0/bin/node', { N_PREFIX: 'prefix' }],
  ])('is found where %s has it: %s', async (name, path, variables) => {
    write(path, ELF);
    write(join(dirname(path), 'secret'), '');
    wish(ASKED);
    const env = Object.fromEntries(Object.entries(variables).map(([key, below]) => [key, join(home, below)]));
    const { toolchain, note } = await found(env);
    const [directory = ''] = toolchain?.mounts ?? [];
    expect(readdirSync(directory)).toEqual(['node']);
    expect(toolchain).toEqual({
      forTests: { name: 'node', path: [directory], env: {}, node: join(directory, 'node') },
      mounts: [directory],
    });
    expect(note).toMatchObject({ level: 'info', what: `Node 38.1.0 from ${name}, requested by .nvmrc` });
  });

  it('is the highest version that fits, and is tried once', async () => {
    for (const version of ['37.0.0', '38.0.9', '38.1.0', '39.0.0']) write(`${NVM}/v${version}/bin/node`, ELF);
    wish('^38.0.0');
    expect((await found()).note?.what).toContain('Node 38.1.0');
    expect((await found()).tried).toEqual([]);
  });

  it('is none whose directory names no version', async () => {
    for (const name of ['38', 'v38.1', 'iojs-v38.1.0', '.cache']) write(`${NVM}/${name}/bin/node`, ELF);
    wish(ASKED);
    expect((await found()).note?.what).not.toContain('from nvm');
    expect((await found()).toolchain).toBeNull();
  });

  it('is another one of the same major version where the very version is not there', async () => {
    write(`${NVM}/v38.1.0/bin/node`, ELF);
    wish('38.7.3');
    expect((await found()).note?.what).toBe('Node 38.1.0 from nvm, requested by .nvmrc');
  });

  it.each([
    ['a link to a version', 'lts/later', { 'lts/later': 'v38.1.0\n' }],
    ['a link to a link', 'lts/*', { 'lts/*': 'lts/later\n', 'lts/later': 'v38.1.0\n' }],
    ['a name of the user', 'work', { work: '38\n' }],
  ])('is what nvm calls so: %s', async (_name, word, aliases) => {
    write(`${NVM}/v38.1.0/bin/node`, ELF);
    for (const [name, text] of Object.entries(aliases)) write(`.nvm/alias/${name}`, text);
    wish(word);
    expect((await found()).note?.what).toContain('Node 38.1.0');
  });

  it.each([
    ['leads out of the aliases', '../../secret'],
    ['leads out of them below', 'lts/..'],
    ['is an absolute path', '/etc/hostname'],
    ['leads to itself', 'round'],
    ['is a link of the file system', 'link'],
    ['has a version that is no version', 'odd'],
    ['is too long', 'a'.repeat(5_000)],
  ])('is none where the word %s', async (_name, word) => {
    write(`${NVM}/v38.1.0/bin/node`, ELF);
    write('secret', '38');
    write('.nvm/secret', '38');
    write('.nvm/alias/round', 'round');
    write('.nvm/alias/odd', '38; rm -rf /');
    symlinkSync('../secret', join(home, '.nvm/alias/link'));
    wish(word);
    expect(await found()).toEqual({ toolchain: null, note: null, tried: [] });
  });

  it.each<[string, () => void]>([
    ['is not there', () => undefined],
    ['is in the project', () => symlinkSync(join(root, 'node'), join(home, NVM, 'v38.1.0/bin/node'))],
    ['is a script', () => write(`${NVM}/v38.1.0/bin/node`, '#!/bin/sh\n')],
    [
      'is what starts a version manager',
      () => symlinkSync(join(home, 'volta-shim'), join(home, NVM, 'v38.1.0/bin/node')),
    ],
    [
      'can be written by everybody',
      () => {
        write(`${NVM}/v38.1.0/bin/node`, ELF);
        chmodSync(join(home, NVM, 'v38.1.0/bin/node'), 0o777);
      },
    ],
    ['has a directory that is no version', () => write(`${NVM}/38.x/bin/node`, ELF)],
  ])('is that of the images where the program %s', async (_name, prepare) => {
    write('volta-shim', ELF);
    write('code/project/node', ELF);
    mkdirSync(join(home, NVM, 'v38.1.0/bin'), { recursive: true });
    prepare();
    wish(ASKED);
    const { toolchain, note } = await found();
    expect(toolchain).toBeNull();
    expect(note).toMatchObject({ level: 'warn', what: expect.stringContaining('.nvmrc asks for Node 38') as string });
  });

  it.each([
    ['does not run in a sandbox', null],
    ['says that it is "v37.0.0"', 'v37.0.0'],
  ])('is that of the images where the installed one %s', async (why, said) => {
    write(`${NVM}/v38.1.0/bin/node`, ELF);
    wish(ASKED);
    const { toolchain, note } = await found({}, () => said);
    expect(toolchain).toBeNull();
    expect(note?.why).toBe(`Node 38.1.0 from nvm is not used: it ${why}`);
    expect(
      readdirSync(join(home, 'caches')).filter((name) => name.startsWith('node-') && !name.endsWith('.lock')),
    ).toEqual([]);
  });

  it('is that of the images where they have what the project asks for', async () => {
    write(`${NVM}/v38.1.0/bin/node`, ELF);
    wish('{"engines":{"node":">=20"}}', 'package.json');
    expect(await found()).toEqual({ toolchain: null, note: null, tried: [] });
  });

  it('is named by a directory below where the project itself names none', async () => {
    write(`${NVM}/v38.1.0/bin/node`, ELF);
    wish(ASKED, 'web/.nvmrc');
    wish('39', 'node_modules/a/.nvmrc');
    expect((await found()).note?.what).toBe('Node 38.1.0 from nvm, requested by web/.nvmrc');
  });
});
