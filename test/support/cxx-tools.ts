import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';

/** Headers by which a framework is known to be installed. */
const HEADERS = {
  gtest: '/usr/include/gtest/gtest.h',
  catch2: '/usr/include/catch2/catch.hpp',
  doctest: '/usr/include/doctest/doctest.h',
} as const;

/** Whether this machine has CMake, a C and a C++ compiler; tests that need them are skipped without. */
export function hasCxx(): boolean {
  return ['cmake', 'ctest', 'cc', 'c++'].every((program) => {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

export function hasFramework(name: keyof typeof HEADERS): boolean {
  return hasCxx() && existsSync(HEADERS[name]);
}

/** The compiler of this machine as it is, for runs that have no sandbox; null where it is not there. */
export function cxxOfHost(framework?: keyof typeof HEADERS): Toolchain | null {
  const isThere = framework === undefined ? hasCxx() : hasFramework(framework);
  return isThere ? { forTests: { name: 'cxx', path: [], env: {} }, mounts: [] } : null;
}

/** A directory for CPATH in which the framework's header is compiled already: to read it is most of the work of compiling a small test. */
export function compiledHeader(name: keyof typeof HEADERS): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'compiled-header-'));
  const compiled = join(path, `${HEADERS[name].replace('/usr/include/', '')}.gch`);
  mkdirSync(dirname(compiled));
  execFileSync('c++', ['-x', 'c++-header', HEADERS[name], '-o', compiled]);
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
