import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hostPythonPackages } from '../../../../src/host/images/rootfs/host-python-packages.ts';

const made: string[] = [];

function parentWith(...paths: string[]): string {
  const parent = mkdtempSync(join(tmpdir(), 'fluffy-packages-'));
  made.push(parent);
  for (const path of paths) {
    mkdirSync(dirname(join(parent, path)), { recursive: true });
    writeFileSync(join(parent, path), '');
  }
  return parent;
}

afterEach(() => {
  for (const each of made.splice(0)) rmSync(each, { recursive: true, force: true });
});

const paths = async (parent: string) =>
  (await hostPythonPackages(['pytest', 'py', 'attr'], [parent])).map(({ path }) => path).sort();

describe('packages of the host’s python3', () => {
  it('are taken by import name, with the records of their versions, without byte code and without their neighbours', async () => {
    const parent = parentWith(
      'python3/dist-packages/pytest/__init__.py',
      'python3/dist-packages/pytest/__pycache__/__init__.cpython-311.pyc',
      'python3/dist-packages/pytest-7.2.1.dist-info/METADATA',
      'python3/dist-packages/pytest_cov/__init__.py',
      'python3/dist-packages/py.py',
      'python3/dist-packages/yaml/__init__.py',
    );
    expect(await paths(parent)).toEqual(['py.py', 'pytest-7.2.1.dist-info/METADATA', 'pytest/__init__.py']);
  });

  it('come from the directory that has the one they are for', async () => {
    const parent = parentWith('python3/dist-packages/py.py', 'python3.12/site-packages/pytest/__init__.py');
    expect(await paths(parent)).toEqual(['pytest/__init__.py']);
  });

  it('are none where it is not installed', async () => {
    expect(await paths(parentWith('python3/dist-packages/py.py'))).toEqual([]);
    expect(await paths('/nowhere-at-all')).toEqual([]);
  });
});
