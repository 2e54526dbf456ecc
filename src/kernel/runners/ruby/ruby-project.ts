import type { ProjectFiles } from '../runner.ts';

/** Files that list the dependencies of a Ruby project. */
function manifests(project: ProjectFiles): readonly { readonly path: string; readonly text: string }[] {
  const names = project.names('').filter((name) => name.endsWith('.gemspec'));
  return ['Gemfile', ...names, 'Gemfile.lock'].map((path) => ({ path, text: project.text(path) }));
}

/** Returns the file that names one of these gems as a dependency; undefined if there is none. */
export function manifestNaming(project: ProjectFiles, gem: RegExp): string | undefined {
  const named = new RegExp(
    String.raw`(?:gem|dependency)[\s(]+["'](?:${gem.source})["']|^ {2}(?:${gem.source})(?: \(|$)`,
    'm',
  );
  return manifests(project).find(({ text }) => named.test(withoutComments(text)))?.path;
}

/** Returns the text of a Ruby file without comment lines. */
export function withoutComments(text: string): string {
  return text.replace(/^[ \t]*#.*$/gm, '');
}

/** Returns the paths of Ruby files in a project directory and in its subdirectories. */
export function rubyFiles(project: ProjectFiles, directory: string): readonly string[] {
  const names = project.names(directory).filter((name) => !name.startsWith('.'));
  const path = (name: string): string => (directory === '' ? name : `${directory}/${name}`);
  const deeper = directory === '' ? [] : names.filter((name) => !name.includes('.')).map(path);
  return [...names.map(path), ...deeper.flatMap((each) => project.names(each).map((name) => `${each}/${name}`))].filter(
    (each) => each.endsWith('.rb'),
  );
}
