import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeImageManifest } from '../../../../src/host/images/image-records.ts';
import { pythonNote } from '../../../../src/host/toolchains/python/python-note.ts';

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

function install(path: string): void {
  const minor = /3\.\d+/.exec(path)?.[0] ?? '';
  write(`${path}/lib/python${minor}/os.py`, '');
  write(`${path}/bin/python${minor}`, '\x7fELF');
  symlinkSync(`python${minor}`, join(base, path, 'bin/python3'));
}
const ask = (env: Readonly<Record<string, string>> = {}) =>
  pythonNote({ projectRoot: join(base, 'project'), env: { HOME: base, ...env }, stateHome: join(base, 'state') });

describe('a project that asks for another Python than the images have', () => {
  it.each([
    ['.python-version', '# ours\n3.12.1\n3.9\n', '3.12.1'],
    ['.python-version', 'cpython-3.12\n', 'cpython-3.12'],
    ['.tool-versions', 'nodejs 22\npython 3.12.1 2.7.18\n', '3.12.1'],
    ['mise.toml', '[tools]\npython = ["3.12", "3.9"]\n', '3.12'],
    ['.mise.toml', '[tools.python]\nversion = "3.12"\n', '3.12'],
    ['services/api/.python-version', '3.12\n', '3.12'],
    ['pyproject.toml (requires-python)', '[project]\nrequires-python = ">=3.12"\n', '>=3.12'],
    ['pyproject.toml (poetry)', '[tool.poetry.dependencies]\npython = "^3.12"\n', '^3.12'],
    ['Pipfile', '[requires]\npython_version = "3.12"\n', '3.12'],
    ['setup.cfg (python_requires)', '[options]\npython_requires = >=3.6,<3.11\n', '>=3.6,<3.11'],
  ])('by %s: %j', async (file, text, asked) => {
    write(`project/${file.replace(/ .*/, '')}`, text);
    expect(await ask()).toMatchObject({
      level: 'warn',
      what: `${file} asks for Python ${asked}; tests and commands run with Python 3.11`,
      why: 'There is no virtual environment, and no such Python was found in pyenv, uv, mise or asdf',
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
    ['a range with the same one', 'pyproject.toml', '[project]\nrequires-python = ">=3.9"\n'],
    ['a range in a package below', 'examples/pyproject.toml', '[project]\nrequires-python = ">=3.12"\n'],
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

describe('an installed interpreter', () => {
  it.each([
    ['pyenv', '.pyenv/versions/3.12.1', '.pyenv/versions/3.12.0', {}],
    ['pyenv', 'own/versions/3.12.1', 'own/versions/3.13.9', { PYENV_ROOT: 'own' }],
    ['uv', '.local/share/uv/python/cpython-3.12.1-linux-x86_64-gnu', '.local/share/uv/python/cpython-3.13.0-linux', {}],
    ['mise', '.local/share/mise/installs/python/3.12.1', '.local/share/mise/installs/python/3.1.0', {}],
    ['asdf', '.asdf/installs/python/3.12.1', '.asdf/installs/python/3.11.1', {}],
  ])('of %s is used', async (from, path, other, env) => {
    write('project/.python-version', '3.12.1\n');
    install(path);
    install(other);
    const absolute = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, join(base, value)]));
    expect(await ask(absolute)).toEqual({
      level: 'info',
      what: `Python 3.12.1 from ${from}, requested by .python-version`,
      why: 'The project asks for Python 3.12.1, and the images have Python 3.11',
      fix: 'Nothing. To use another Python, change that file and start the session again',
    });
  });

  it.each([
    ['.python-version', '3.12\n', '3.12.10'],
    ['.python-version', '3.12.4\n', '3.12.10'],
    ['.python-version', '3.13-dev\n', '3.13.0'],
    ['pyproject.toml', '[project]\nrequires-python = ">=3.12,<3.13"\n', '3.12.10'],
    ['pyproject.toml', '[project]\nrequires-python = "!=3.11.*,>=3.11.5"\n', null],
    ['pyproject.toml', '[project]\nrequires-python = ">=3.12"\n', '3.13.0'],
    ['pyproject.toml', '[project]\nrequires-python = ">=3.13.1"\n', null],
    ['pyproject.toml', '[project]\nrequires-python = "~=3.12.11"\n', null],
  ])('is chosen by %s: %j', async (file, text, version) => {
    write(`project/${file}`, text);
    for (const each of ['3.12.9', '3.12.10', '3.13.0']) install(`.pyenv/versions/${each}`);
    const note = await ask();
    expect(note?.level === 'info' ? note.what : null).toBe(
      version === null
        ? null
        : `Python ${version} from pyenv, requested by ${file.replace('.toml', '.toml (requires-python)')}`,
    );
  });

  it.each([
    ['a script', () => write('.pyenv/versions/3.12.1/bin/python3', '#!/bin/sh\n')],
    ['without its library', () => write('.pyenv/versions/3.12.1/bin/python3.12', '\x7fELF')],
    ['in the project', () => install('project/.pyenv/versions/3.12.1')],
  ])('that is %s is not used', async (what, make) => {
    write('project/.python-version', '3.12.1\n');
    make();
    const root = what === 'in the project' ? 'project/.pyenv' : '.pyenv';
    expect(await ask({ PYENV_ROOT: join(base, root) })).toMatchObject({ level: 'warn' });
  });
});

describe('what to do', () => {
  beforeEach(() => write('project/.python-version', '3.12.1\n'));

  it('is to install it where there is none', async () => {
    expect((await ask())?.fix).toBe(
      'install Python 3.12 (pyenv install 3.12), then start the session again; or run fluffy image use python:3.12',
    );
  });

  it('is to keep the project working where it asks for one that is too old', async () => {
    write('project/.python-version', '3.6.15\n');
    install('.pyenv/versions/3.6.15');
    expect(await ask()).toMatchObject({
      why: 'Runners of Python need Python 3.9 or later',
      fix: 'if a test fails only in a session, change the project so that it works with Python 3.11 too',
    });
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
      fix: `remove .venv, make a virtual environment with it (${base}/.pyenv/versions/3.12.1/bin/python3.12 -m venv .venv), and install the packages there`,
    });
  });
});
