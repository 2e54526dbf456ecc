import { execFileSync } from 'node:child_process';

/** Whether this interpreter has pytest; by default the system's, of which the image is made. */
export function hasPytest(python = '/usr/bin/python3'): boolean {
  try {
    execFileSync(python, ['-I', '-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
