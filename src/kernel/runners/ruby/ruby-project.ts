import type { ProjectFiles } from '../runner.ts';

/** Files of a Ruby project that say what it depends on. */
function manifests(project: ProjectFiles): readonly { readonly path: string; readonly text: string }[] {
  const names = project.names('').filter((name) => name.endsWith('.gemspec'));
  return ['Gemfile', ...names, 'Gemfile.lock'].map((path) => ({ path, text: project.text(path) }));
}

/** The file that names one of these gems as a dependency; undefined where none does. */
export function manifestNaming(project: ProjectFiles, gem: RegExp): string | undefined {
  const named = new RegExp(
    String.raw`(?:gem|dependency)[\s(]+["'](?:${gem.source})["']|^ {2}(?:${gem.source})(?: \(|$)`,
    'm',
  );
  return manifests(project).find(({ text }) => named.test(withoutComments(text)))?.path;
}

/** The text of a Ruby file without lines that are comments. */
export function withoutComments(text: string): string {
  return text.replace(/^[ \t]*#.*$/gm, '');
}

/** Names of Ruby files in a directory of the project and in the directories in it. */
export function rubyFiles(project: ProjectFiles, directory: string): readonly string[] {
  const names = project.names(directory).filter((name) => !name.startsWith('.'));
  const path = (name: string): string => (directory === '' ? name : `${directory}/${name}`);
  const deeper = directory === '' ? [] : names.filter((name) => !name.includes('.')).map(path);
  return [...names.map(path), ...deeper.flatMap((each) => project.names(each).map((name) => `${each}/${name}`))].filter(
    (each) => each.endsWith('.rb'),
  );
}
