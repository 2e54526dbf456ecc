import { expect, it } from 'vitest';
import { readPdmLock, readPylock, readUvLock } from '../../../src/lib/packages/python-lock.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

it('reads what uv.lock names, without the project itself', () => {
  const text = `version = 1
requires-python = ">=3.9"

[[package]]
name = "app"
version = "1.0"
source = { virtual = "." }

[[package]]
name = "Typing_Extensions"
version = "4.1"
source = { registry = "https://index.example/simple" }
resolution-markers = ["python_version < '3.10'", "python_version >= '3.10'"]
sdist = { url = "https://index.example/t.tar.gz", hash = "${OTHER}", size = 1 }
wheels = [{ url = "https://index.example/t.whl", hash = "${HASH}", size = 1 }]

[[package]]
name = "forked"
version = "2"
source = { git = "https://host.example/forked?rev=1" }
`;
  expect(readUvLock(text)).toEqual({
    kind: 'lock',
    packages: [
      {
        name: 'typing-extensions',
        version: '4.1',
        marker: "(python_version < '3.10') or (python_version >= '3.10')",
        hashes: [HASH, OTHER],
        elsewhere: null,
      },
      {
        name: 'forked',
        version: '2',
        marker: null,
        hashes: [],
        elsewhere: 'git https://host.example/forked?rev=1',
      },
    ],
  });
});

it('reads what pylock.toml names, without the project itself', () => {
  const text = `lock-version = "1.0"
created-by = "pip"

[[packages]]
name = "app"
directory = { path = "." }

[[packages]]
name = "idna"
version = "3.4"
marker = "python_version > '3'"
wheels = [{ url = "https://index.example/i.whl", hashes = { sha256 = "${'a'.repeat(64)}", md5 = "x" } }]

[[packages]]
name = "other"
vcs = { type = "git", url = "https://host.example/o", commit-id = "1" }
`;
  expect(readPylock(text)).toEqual({
    kind: 'lock',
    packages: [
      { name: 'idna', version: '3.4', marker: "python_version > '3'", hashes: [HASH], elsewhere: null },
      { name: 'other', version: '', marker: null, hashes: [], elsewhere: 'vcs' },
    ],
  });
});

it.each([
  [readUvLock, '[', 'no TOML'],
  [readUvLock, 'version = 2\n', 'not a uv.lock of version 1'],
  [readPylock, 'lock-version = "2.0"\npackages = []\n', 'not a pylock.toml of version 1'],
])('says why a lockfile cannot be read', (read, text, why) => {
  expect(read(text)).toEqual({ kind: 'unreadable', why: expect.stringContaining(why) as string });
});

it('reads what pdm.lock names, with markers and origins', () => {
  const text = `[metadata]
groups = ["default"]
lock_version = "4.5.1"

[[package]]
name = "Plain_Name"
version = "2"
marker = "python_version < '3.10'"
files = [{file = "p.whl", hash = "${HASH}"}, {file = "p.tar.gz", hash = "${OTHER}"}]

[[package]]
name = "forked"
version = "1"
git = "https://host.example/forked"

[[package]]
name = "app"
version = "1"
path = "."
`;
  expect(readPdmLock(text)).toEqual({
    kind: 'lock',
    packages: [
      {
        name: 'plain-name',
        version: '2',
        marker: "python_version < '3.10'",
        hashes: [HASH, OTHER],
        elsewhere: null,
      },
      { name: 'forked', version: '1', marker: null, hashes: [], elsewhere: 'git https://host.example/forked' },
    ],
  });
  expect(readPdmLock('[metadata]\nlock_version = "3.0"\n')).toMatchObject({ kind: 'unreadable' });
});
