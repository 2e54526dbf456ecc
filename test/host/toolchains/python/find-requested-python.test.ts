import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeImageManifest } from '../../../../src/host/images/image-records.ts';
import {
  type PythonInImage,
  findRequestedPython,
} from '../../../../src/host/toolchains/python/find-requested-python.ts';

let base = '';
let tried: (readonly [string, readonly string[]])[] = [];

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-python-')));
  tried = [];
  const inputs = [{ path: '/usr/bin/python3.11', size: 1, mtime_ms: 1 }];
  const record = { id: `sha256:${'a'.repeat(64)}`, source: 'b'.repeat(64), base: 'host', built_at_ms: 1 } as const;
  await writeImageManifest(join(base, 'state'), { version: 1, images: { base: { ...record, inputs } } });
  write('project/.python-version', '3.12\n');
});
afterEach(() => rmSync(base, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function install(version: string): string {
  const path = `versions/${version}`;
  write(`${path}/lib/python3.12/os.py`, '');
  for (const name of ['python3.12', 'pip', 'pip3.12', 'git']) write(`${path}/bin/${name}`, '\x7fELF');
  symlinkSync('python3.12', join(base, path, 'bin/python3'));
  return join(base, path);
}

function find(pythonInImage: PythonInImage) {
  return findRequestedPython({
    projectRoot: join(base, 'project'),
    env: { HOME: base, PYENV_ROOT: base },
    stateHome: join(base, 'state'),
    caches: join(base, 'caches'),
    onProgress: () => undefined,
    imageId: 'sha256:1',
    pythonInImage: (program, mounts) => {
      tried.push([program, mounts]);
      return pythonInImage(program, mounts);
    },
  });
}

it('is seen by sandboxes at its own place, and replaces python and pip alone', async () => {
  const python = install('3.12.1');
  const says = () => Promise.resolve('3.12.1');
  const { toolchain, note } = await find(says);
  const programs = toolchain?.forTests.python ?? '';
  expect(toolchain).toEqual({
    forTests: {
      name: 'python',
      path: [programs, `${python}/bin`],
      env: {},
      python: programs,
      interpreter: `${python}/bin/python3.12`,
    },
    mounts: [programs, `${python}/bin`, `${python}/lib`],
  });
  expect(readdirSync(programs)).toEqual(['pip', 'pip3.12', 'python', 'python3', 'python3.12']);
  expect(realpathSync(join(programs, 'python'))).toBe(`${python}/bin/python3.12`);
  expect(note?.what).toBe('Python 3.12.1 from pyenv, requested by .python-version');
  expect(tried).toEqual([[`${python}/bin/python3.12`, [`${python}/bin`, `${python}/lib`]]]);
  await find(says);
  expect(tried).toHaveLength(1);
});

it('is seen also where a link leads to it, which its scripts name', async () => {
  const python = install('3.12.1');
  rmSync(join(base, 'elsewhere'), { force: true });
  mkdirSync(join(base, 'elsewhere'));
  symlinkSync(join(base, 'versions'), join(base, 'elsewhere/versions'));
  const { toolchain } = await findRequestedPython({
    projectRoot: join(base, 'project'),
    env: { HOME: base, PYENV_ROOT: join(base, 'elsewhere') },
    stateHome: join(base, 'state'),
    caches: join(base, 'caches'),
    onProgress: () => undefined,
    imageId: 'sha256:1',
    pythonInImage: () => Promise.resolve('3.12.1'),
  });
  const named = join(base, 'elsewhere/versions/3.12.1');
  expect(toolchain?.mounts.slice(1)).toEqual([python, named].flatMap((each) => [`${each}/bin`, `${each}/lib`]));
});

it('is the next one where the newest does not run in a sandbox', async () => {
  const old = install('3.12.1');
  install('3.12.9');
  const { toolchain } = await find((program) => Promise.resolve(program.startsWith(old) ? '3.12.1' : null));
  expect(toolchain?.mounts).toContain(`${old}/lib`);
});

it.each([
  [null, 'it does not run in a sandbox'],
  ['3.11.2', 'it says that it is "3.11.2"'],
])('is that of the images where it prints %j, with the reason', async (said, why) => {
  install('3.12.1');
  const { toolchain, note } = await find(() => Promise.resolve(said));
  expect(toolchain).toBeNull();
  expect(note).toEqual({
    level: 'warn',
    what: '.python-version asks for Python 3.12; tests and commands run with Python 3.11',
    why: `Python 3.12.1 from pyenv is not used: ${why}`,
    fix: 'run fluffy image use python:3.12',
  });
});

it('is that of a virtual environment, which is not replaced', async () => {
  install('3.12.1');
  write('project/.venv/pyvenv.cfg', 'version = 3.11.2\n');
  const { toolchain, note } = await find(() => Promise.resolve('3.12.1'));
  expect(toolchain).toBeNull();
  expect(note?.level).toBe('warn');
  expect(tried).toEqual([]);
});
