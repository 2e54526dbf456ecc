import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

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
