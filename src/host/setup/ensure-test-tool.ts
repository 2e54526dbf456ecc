import { type Consent, isGiven } from './consent.ts';
import { type Machine, asRoot } from './machine.ts';

/** A program that only fluffy's own tests need, with its packages in the system's package sources. */
export interface TestTool {
  readonly program: string;
  readonly packages: readonly string[];
  /** Completes "for …". */
  readonly purpose: string;
}

/**
 * tmux runs the tests in a real terminal; pytest and the programs for Ruby, PHP, C and C++ are test runners that are tested for real, on the host and
 * in sandboxes.
 */
export const TEST_TOOLS: readonly TestTool[] = [
  { program: 'tmux', packages: ['tmux'], purpose: 'the tests in a real terminal' },
  { program: 'pytest-3', packages: ['python3-pytest'], purpose: 'the tests of the pytest runner' },
  {
    program: 'ruby',
    packages: ['ruby', 'ruby-minitest', 'ruby-rspec'],
    purpose: 'the tests of the runners for Ruby',
  },
  {
    program: 'phpunit',
    packages: ['php-cli', 'phpunit', 'php-xml', 'php-mbstring', 'php-pcov'],
    purpose: 'the tests of the runner for PHP',
  },
  {
    program: 'ctest',
    packages: ['cmake', 'g++', 'make', 'libgtest-dev', 'catch2', 'doctest-dev'],
    purpose: 'the tests of the runner for C and C++',
  },
];

/** Installs a test tool with consent. Without it set-up continues, and reports which tests will fail. */
export async function ensureTestTool(
  tool: TestTool,
  machine: Machine,
  consent: Consent,
  progress: (line: string) => void,
): Promise<'ready' | 'missing'> {
  if (machine.has(tool.program)) return 'ready';
  const names = tool.packages.join(' ');
  const install = asRoot(machine, ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...tool.packages]);
  const update = asRoot(machine, ['apt-get', 'update', '-q']);
  const possible = machine.has('apt-get') && install !== undefined && update !== undefined;
  if (possible && (await isGiven(consent, `${names} is needed for ${tool.purpose}. Install it with apt-get?`))) {
    progress(`installing ${names} for ${tool.purpose}, from the package sources of this system`);
    await machine.run(update);
    // An old package index can be good enough: only the installation decides.
    if ((await machine.run(install)) === 0) return 'ready';
  }
  progress(`there is no ${tool.program}: ${tool.purpose} will fail. Install it (Debian: apt-get install ${names})`);
  return 'missing';
}
