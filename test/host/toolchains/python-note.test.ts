import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeImageManifest } from '../../../src/host/images/image-records.ts';
import { pythonNote } from '../../../src/host/toolchains/python-note.ts';

let base = '';
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-python-')));
  mkdirSync(join(base, 'project'));
  await images(['/usr/bin/python3.11']);
});
afterEach(() => rmSync(base, { recursive: true }));

/** As they are recorded, made of these files of the host. */
function images(paths: readonly string[]): Promise<void> {
  const inputs = paths.map((path) => ({ path, size: 1, mtime_ms: 1 }));
  const record = { id: `sha256:${'a'.repeat(64)}`, source: 'b'.repeat(64), base: 'host', built_at_ms: 1 } as const;
  return writeImageManifest(join(base, 'state'), { version: 1, images: { base: { ...record, inputs } } });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const install = (path: string) => write(`${path}/bin/python3`, '\x7fELF');
const ask = (env: Readonly<Record<string, string>> = {}) =>
  pythonNote({ projectRoot: join(base, 'project'), env: { HOME: base, ...env }, stateHome: join(base, 'state') });

describe('a project that asks for another Python than the images have', () => {
  it.each([
    ['.python-version', '# ours\n3.12.1\n3.9\n', '3.12.1'],
    ['.python-version', 'cpython-3.12\n', 'cpython-3.12'],
    ['.tool-versions', 'nodejs 22\npython 3.12.1 2.7.18\n', '3.12.1'],
    ['mise.toml', '[tools]\npython = ["3.12", "3.9"]\n', '3.12'],
    ['.mise.toml', '[tools.python]\nversion = "3.12"\n', '3.12'],
  ])('by %s: %j', async (file, text, asked) => {
    write(`project/${file}`, text);
    expect(await ask()).toMatchObject({
      level: 'warn',
      what: `${file} asks for Python ${asked}; tests and commands run with Python 3.11`,
      why: 'They run with the interpreter of the virtual environment, and there is none',
    });
  });

  it.each([
    ['nothing', '.python-version', ''],
    ['the same one', '.python-version', '3.11.9\n'],
    ['that of the system', '.python-version', 'system\n'],
    ['another implementation', '.python-version', 'pypy3.10-7.3.12\n'],
    ['a major version', '.python-version', '3\n'],
    ['no TOML', 'mise.toml', '[tools\npython = "3.12"\n'],
    ['a text that is too long to be shown', '.python-version', `3.12.${'1'.repeat(1000)}\n`],
    ['another tool', '.tool-versions', 'nodejs 3.12\n'],
  ])('is not one that names %s', async (_, file, text) => {
    write(`project/${file}`, text);
    expect(await ask()).toBeNull();
  });

  it('is none where the Python of the images is not known', async () => {
    write('project/.python-version', '3.12\n');
    await images([]);
    expect(await ask()).toBeNull();
  });
});

describe('what to do', () => {
  beforeEach(() => write('project/.python-version', '3.12.1\n'));

  it.each([
    ['pyenv', '.pyenv/versions/3.12.1', '.pyenv/versions/3.12.0', {}],
    ['pyenv elsewhere', 'own/versions/3.12.10', 'own/versions/3.12.9', { PYENV_ROOT: 'own' }],
    ['uv', '.local/share/uv/python/cpython-3.12.1-linux-x86_64-gnu', '.local/share/uv/python/cpython-3.13.0-linux', {}],
    ['mise', '.local/share/mise/installs/python/3.12.1', '.local/share/mise/installs/python/3.1', {}],
    ['asdf', '.asdf/installs/python/3.12.1', '.asdf/installs/python/3.11.1', {}],
  ])('names the newest interpreter of %s that fits', async (_, path, other, env) => {
    install(path);
    install(other);
    const absolute = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, join(base, value)]));
    expect((await ask(absolute))?.fix).toBe(
      `make a virtual environment with it (${join(base, path)}/bin/python3 -m venv .venv), and install the packages there`,
    );
  });

  it('is to install it where there is none', async () => {
    write('.pyenv/versions/3.12.1/bin/python3', '#!/bin/sh\n');
    expect((await ask())?.fix).toMatch(
      /^install Python 3\.12 \(pyenv install 3\.12\), make .*; or run fluffy image use python:3\.12$/,
    );
  });

  it('is nothing where a virtual environment has it', async () => {
    write('project/.venv/pyvenv.cfg', 'home = /x\nversion = 3.12.1\n');
    expect(await ask()).toBeNull();
    rmSync(join(base, 'project/.venv'), { recursive: true });
    write('active/pyvenv.cfg', 'version_info = 3.12.1.final.0\n');
    expect(await ask({ VIRTUAL_ENV: join(base, 'active') })).toBeNull();
  });

  it('is to replace a virtual environment of another version', async () => {
    write('project/.venv/pyvenv.cfg', 'version = 3.9.18\n');
    install('.pyenv/versions/3.12.1');
    expect(await ask()).toMatchObject({
      what: '.python-version asks for Python 3.12.1; tests and commands run with Python 3.9',
      why: 'They run with the interpreter of the virtual environment, and .venv was made with Python 3.9',
      fix: expect.stringMatching(/^remove \.venv, make a virtual environment with it/) as string,
    });
  });
});
