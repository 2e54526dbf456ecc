import { expect, it } from 'vitest';
import { whyNotConfigured } from '../../../tool-plugins/test-tool/shared/cmake/why-not-configured.ts';
import { withMissingArtifact } from '../../../tool-plugins/test-tool/shared/java/missing-artifact.ts';

const firstLine = (text: string) => text.split('\n')[0];

it.each([
  [
    'a download by address',
    '-- Detecting CXX\nCMake Error at FetchContent.cmake:1616 (message):\n  Build step for json failed: 1\n',
    /^The project downloads json when it is configured, and a sandbox has no network\. Install/,
  ],
  [
    'a clone',
    "-- The C\nCMake Error at x.cmake:31 (message):\n  Failed to clone repository: 'https://example.invalid/a/doctest.git'\n",
    /^The project downloads https:\/\/example.invalid\/a\/doctest.git when/,
  ],
  [
    'a file',
    'CMake Error at tests/CMakeLists.txt:112 (file):\n  file DOWNLOAD HASH mismatch\n',
    /^The project downloads a file when it is configured/,
  ],
  [
    'a package',
    '-- Found\nCMake Error at CMakeLists.txt:3 (find_package):\n  By not providing "FindBoost.cmake" in CMAKE_MODULE_PATH\n',
    /^The library Boost is not installed\./,
  ],
  [
    'another error',
    '-- The CXX\nCMake Error at CMakeLists.txt:3 (foo):\n  Unknown\n',
    /^CMake Error at CMakeLists.txt:3/,
  ],
  ['no known form', 'cmake: not a directory\n', /^cmake: not a directory/],
])('CMake lacks %s', (_what, said, first) => {
  expect(firstLine(whyNotConfigured(said))).toMatch(first);
  expect(whyNotConfigured(said)).not.toContain('-- ');
});

it.each([
  [
    'Non-resolvable parent POM for a:a:1: Cannot access central (URL) in offline mode and the artifact org.apache:apache:pom:35 has not been downloaded from it before. @ line 23',
    'org.apache:apache:pom:35 is not in the local repository of Maven, and a sandbox has no network. Run mvn test once on this machine.',
  ],
  ['[ERROR] /a/B.java:[3,4] cannot find symbol', '[ERROR] /a/B.java:[3,4] cannot find symbol'],
])('Maven lacks an artifact', (said, first) => {
  expect(firstLine(withMissingArtifact(said))).toBe(first);
});
