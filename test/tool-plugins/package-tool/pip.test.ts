import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { expectDone, performJob } from '../../support/wire/package-job.ts';
import type { DoneJob } from '../../support/wire/package-job.ts';
import type { PackageRegistry } from '../../support/wire/package-registry.ts';
import { sha256Of, startPythonIndex, wheelOf } from '../../support/wire/python-index.ts';
import type { ScriptedWheel } from '../../support/wire/python-index.ts';

/** pip itself, with the real egress gate, against an index on the loopback. */

const BASE: ScriptedWheel = { name: 'basework', version: '0.5', files: { 'basework.py': 'ONE = 1\n' } };
const PLAIN: ScriptedWheel = {
  name: 'plainwork',
  version: '1.2.3',
  metadata: ['License: MIT', 'Requires-Dist: basework'],
  files: {
    'plainwork.py': 'from basework import ONE\nANSWER = 41 + ONE\ndef main(): print(ANSWER)\n',
    'plainwork-1.2.3.dist-info/entry_points.txt': '[console_scripts]\nplainwork = plainwork:main\n',
  },
};
const STARTS: ScriptedWheel = {
  name: 'starts',
  version: '1.0',
  files: {
    'starts.pth': 'import os\n',
    'sitecustomize.py': 'import os\n',
    'usercustomize/__init__.py': '',
    'starts.py': '',
  },
};
const LOCKED_BASE = `basework==0.5 --hash=sha256:${sha256Of(wheelOf(BASE))}\n`;

// Several starts of a real package manager each, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let home: string;
let index: PackageRegistry | null = null;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fl-'));
});
afterEach(async () => {
  await index?.close();
  index = null;
  await rm(home, { recursive: true });
});

interface Given {
  readonly wheels?: readonly ScriptedWheel[];
  readonly request?: PackageRequest;
  readonly requirements?: string;
  readonly installScripts?: readonly string[];
  readonly indexUrl?: string;
  readonly fetchTimeoutMs?: number;
}

const add = (name: string, version?: string): PackageRequest => ({
  kind: 'add',
  name,
  dev: false,
  ...(version === undefined ? {} : { version }),
});
const INSTALL: PackageRequest = { kind: 'install' };

async function perform(given: Given): Promise<DoneJob> {
  const { wheels = [BASE, PLAIN], request = add('plainwork'), requirements = '', indexUrl, ...rest } = given;
  index ??= await startPythonIndex(wheels);
  const env = { PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: indexUrl ?? index.url };
  return performJob({ manager: 'pip', home, env, request, manifest: requirements, lockfile: requirements, ...rest });
}

const python = (out: string, ...args: readonly string[]): string =>
  execFileSync(join(out, 'project/.venv/bin/python3'), ['-I', ...args], { encoding: 'utf8' }).trim();

describe('adding a package', () => {
  test('lists it and what it needs with versions and hashes, installs both, and reports what the index says', async () => {
    const { report, attempts, out, counts } = await perform({});
    const done = expectDone(report);
    expect(counts).toMatch(/^[1-9]\d* 0\n$/);
    const lines = [PLAIN, BASE].map(
      (each) => `${each.name}==${each.version} \\\n    --hash=sha256:${sha256Of(wheelOf(each))}`,
    );
    expect(
      done.manifest
        .trimEnd()
        .split(/\n(?=\w)/)
        .sort(),
    ).toEqual(lines.sort());
    expect(done.lockfile).toBe(done.manifest);
    expect(done.facts).toContainEqual({
      name: 'plainwork',
      version: '1.2.3',
      published_ms: Date.UTC(2020, 0, 2, 3, 4, 5),
      maintainers: null,
      licence: 'MIT',
    });
    expect(python(out, '-c', 'import plainwork; print(plainwork.ANSWER)')).toBe('42');
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'allowed' })]);
  });

  test('makes programs that run wherever the environment is', async () => {
    const { out } = await perform({});
    const script = await readFile(join(out, 'project/.venv/bin/plainwork'), 'utf8');
    expect(script).not.toContain(out);
    expect(execFileSync(join(out, 'project/.venv/bin/plainwork'), { encoding: 'utf8' })).toBe('42\n');
  });

  test('keeps the lines that were there', async () => {
    const requirements = `# ours\n${LOCKED_BASE}`;
    const { manifest } = expectDone((await perform({ requirements })).report);
    expect(manifest.slice(0, requirements.length)).toBe(requirements);
    expect(manifest.slice(requirements.length)).toMatch(/^plainwork==1\.2\.3 \\\n {4}--hash=sha256:[0-9a-f]{64}\n$/);
  });

  test('lists the package alone where the others have no hashes', async () => {
    const { report } = await perform({ requirements: 'basework', request: add('Plainwork', '>=1,<2') });
    expect(expectDone(report).manifest).toBe('basework\nplainwork>=1,<2\n');
  });

  test.each([
    ['a name that does not exist', { request: add('absent') }, 'not_found', 'absent'],
    ['a version that does not exist', { request: add('plainwork', '9.9') }, 'not_found', 'plainwork 9.9'],
    [
      'a package without a wheel',
      { wheels: [{ ...BASE, isSource: true }], request: add('basework') },
      'not_found',
      'not built',
    ],
    [
      'a wheel that climbs',
      { wheels: [{ ...BASE, files: { '../../../evil.py': 'x' } }], request: add('basework') },
      'unsafe_archive',
      'evil.py',
    ],
    [
      'a digest that is not the wheel’s',
      { wheels: [{ ...BASE, liesAboutHash: true }], request: add('basework') },
      'integrity',
      'HASHES',
    ],
    [
      'an index that hangs',
      { wheels: [{ ...BASE, hangs: true }], request: add('basework'), fetchTimeoutMs: 1_000 },
      'unreachable',
      '',
    ],
    ['no index', { indexUrl: 'http://localhost:9/simple' }, 'unreachable', 'localhost:9'],
  ] satisfies readonly [string, Given, string, string][])(
    '%s is a failure with its reason',
    async (_what, given, failure, message) => {
      const { report } = await perform(given);
      expect(report).toMatchObject({ kind: 'failed', failure });
      expect(report.kind === 'failed' ? report.message : '').toContain(message);
    },
  );
});

describe('code that runs when Python starts', () => {
  test('is removed', async () => {
    const { report, out } = await perform({ wheels: [STARTS], request: add('starts') });
    expect(expectDone(report)).toMatchObject({ scripts_run: [], scripts_skipped: ['starts'] });
    const packages = join(
      out,
      'project/.venv/lib',
      (await readdir(join(out, 'project/.venv/lib')))[0] ?? '',
      'site-packages',
    );
    const left = (await readdir(packages)).filter((name) => /pth$|customize/.test(name));
    expect(left).toEqual([]);
  });

  test('stays where the user allows it by name', async () => {
    const { report } = await perform({ wheels: [STARTS], request: add('starts'), installScripts: ['Starts'] });
    expect(expectDone(report)).toMatchObject({ scripts_run: ['starts'], scripts_skipped: [] });
  });
});

describe('installing what requirements.txt names', () => {
  test('installs it, and changes nothing', async () => {
    const { report, out } = await perform({ request: INSTALL, requirements: LOCKED_BASE });
    expect(expectDone(report).manifest).toBe(LOCKED_BASE);
    expect(python(out, '-c', 'import basework; print(basework.ONE)')).toBe('1');
  });

  test('with another hash installs nothing', async () => {
    const requirements = LOCKED_BASE.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    const { report } = await perform({ request: INSTALL, requirements });
    expect(report).toMatchObject({ kind: 'failed', failure: 'integrity' });
  });

  test('with hashes, but not of what a package needs, is a failure', async () => {
    const requirements = `plainwork==1.2.3 --hash=sha256:${sha256Of(wheelOf(PLAIN))}\n`;
    const { report } = await perform({ request: INSTALL, requirements });
    expect(report).toMatchObject({ kind: 'failed', failure: 'out_of_step' });
  });
});
