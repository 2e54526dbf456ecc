import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The last one for Python 3.9 and later. */
const VERSION = '4.2.20';
const PYTHON = '/usr/bin/python3';

/** A directory with Django and what it needs, installed once from the package index of this machine's pip; null where there is none. */
export async function djangoPackages(): Promise<string | null> {
  const kept = join(tmpdir(), `fluffy-django-${VERSION}`);
  if (existsSync(kept)) return kept;
  const target = mkdtempSync(join(tmpdir(), 'fluffy-django-'));
  try {
    const args = ['-m', 'pip', 'install', '--quiet', '--target', target, `django==${VERSION}`];
    await run(PYTHON, args, { timeout: 120_000 });
    renameSync(target, kept);
  } catch {
    rmSync(target, { recursive: true, force: true });
  }
  return existsSync(kept) ? kept : null;
}

/** Version of the Python that is in the sandbox image, as its directory of packages has it: `python3.11`. */
export async function pythonDirectory(): Promise<string> {
  const { stdout } = await run(PYTHON, ['-c', 'import sys; print("python%d.%d" % sys.version_info[:2])']);
  return stdout.trim();
}

/** Django as a project has it installed, in its `.venv`; null where there is none. */
export async function installedDjango(): Promise<Readonly<Record<string, string>> | null> {
  const packages = await djangoPackages();
  if (packages === null) return null;
  return {
    '.venv/pyvenv.cfg': 'home = /nowhere\n',
    // The command that a user would type: with the packages, and the interpreter of the system.
    '.venv/bin/python3': `#!/bin/sh\nPYTHONPATH=${packages} exec ${PYTHON} "$@"\n`,
    [`.venv/lib/${await pythonDirectory()}/site-packages/here.pth`]: `${packages}\n`,
  };
}
