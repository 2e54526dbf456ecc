import { manifestNaming, rubyFiles, withoutComments } from '../ruby/ruby-project.ts';
import type { ProjectFiles, Sign } from '../runner.ts';

const MAX_READ = 30;
const DIRECTORIES = ['test', 'tests', 'spec', ''];
const OWN = /\bMinitest\b|\bminitest\/|require ["']test\/unit["']|\bActiveSupport::TestCase\b/;

/** Detects a gem that depends on minitest, or tests that use it. It is installed with Ruby. */
export function detectMinitest(project: ProjectFiles): Sign | null {
  const args = rakeArguments(project.text('Rakefile'));
  const rake = /\bminitest\b/.test(withoutComments(project.text('Rakefile'))) ? 'Rakefile' : undefined;
  const manifest = manifestNaming(project, /minitest(?:-\w+)?/) ?? rake;
  const test = DIRECTORIES.flatMap((directory) => rubyFiles(project, directory))
    .filter((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_(?:test|spec)|helper)\.rb$/.test(path))
    .slice(0, MAX_READ)
    .find((path) => OWN.test(withoutComments(project.text(path))));
  if (test === undefined && manifest === undefined) return null;
  const specs = test?.endsWith('_spec.rb') === true ? ['spec/**/*_spec.rb'] : [];
  const named = args.some((arg) => !arg.startsWith('-')) ? args : [...args, ...specs];
  // A Gemfile may name both minitest and RSpec. Then the tests decide.
  if (manifest !== undefined && (test !== undefined || !usesRspec(project)))
    return { strength: 'declared', because: `${manifest} names it`, args: named };
  return test === undefined ? null : { strength: 'tests', because: `${test} uses it`, args: named };
}

function usesRspec(project: ProjectFiles): boolean {
  return project.has('.rspec') || rubyFiles(project, 'spec').length > 0;
}

/** The libraries and patterns of a `Rake::TestTask`, if they are literals. */
function rakeArguments(rakefile: string): string[] {
  const text = withoutComments(rakefile);
  if (!/TestTask/.test(text)) return [];
  const texts = (written: string): string[] =>
    [...written.matchAll(/["']([^"'\n]+)["']/g)].map(([, each = '']) => each);
  const libraries = [...text.matchAll(/\.libs\s*(?:<<|\+?=|\.push)\s*([^\n]*)/g)].flatMap(([, written = '']) => [
    ...texts(written),
    ...(/%w[[({]([^\])}]*)/.exec(written)?.[1] ?? '').split(/\s+/),
  ]);
  const patterns = [...text.matchAll(/\.(?:pattern|test_globs|test_files)\s*=\s*([^\n]*)/g)]
    .flatMap(([, written = '']) => texts(written))
    .filter((each) => /\.rb$/.test(each) && !each.includes('#{'));
  const kept = libraries.filter((each) => /^[\w./-]+$/.test(each));
  return [...new Set([...kept.map((each) => `-I${each}`), ...patterns])];
}
