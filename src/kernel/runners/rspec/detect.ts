import { manifestNaming, rubyFiles, withoutComments } from '../ruby/ruby-project.ts';
import type { ProjectFiles, Sign } from '../runner.ts';

const MAX_READ = 30;
const OWN = /\bRSpec\.(?:describe|configure)\b|require ["'](?:rspec|spec_helper|rails_helper)\b/;

/** Detects settings of RSpec, a gem that depends on it, or specs that only RSpec runs. */
export function detectRspec(project: ProjectFiles): Sign | null {
  const args = settings(project.text('.rspec'));
  if (project.has('.rspec')) return { strength: 'declared', because: 'there is .rspec', args };
  const manifest = manifestNaming(project, /rspec(?:-(?:core|rails|expectations))?/);
  if (manifest !== undefined) return { strength: 'declared', because: `${manifest} names it`, args };
  const spec = [...rubyFiles(project, 'spec'), ...rubyFiles(project, '')]
    .filter((path) => path.endsWith('_spec.rb'))
    .slice(0, MAX_READ)
    .find((path) => isRspec(withoutComments(project.text(path))));
  return spec === undefined ? null : { strength: 'tests', because: `${spec} uses it`, args };
}

function isRspec(text: string): boolean {
  return OWN.test(text) && !/\b[Mm]initest\b/.test(text);
}

/** The directories and patterns in `.rspec`. */
function settings(text: string): string[] {
  const words = withoutComments(text).split(/\s+/);
  return words.flatMap((word, at) => {
    const value = words[at + 1] ?? '';
    if (/^-I.+/.test(word)) return [word];
    if (word === '-I') return [`-I${value}`];
    const pattern = /^(?:--pattern|-P)(?:=(.+))?$/.exec(word);
    return pattern === null ? [] : (pattern[1] ?? value).split(',').map((each) => each.replace(/^["']|["']$/g, ''));
  });
}
