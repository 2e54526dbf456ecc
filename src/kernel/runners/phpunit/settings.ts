import type { ProjectFiles } from '../runner.ts';

/** Where PHPUnit looks for its settings, in its order. */
export const SETTINGS = ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist'] as const;

/** The settings that PHPUnit would read; undefined where there are none. */
export function settingsFile(project: ProjectFiles): string | undefined {
  return SETTINGS.find((name) => project.has(name));
}

/** The files of all test suites, as globs. `**` in a directory's name matches as in PHPUnit. */
export function suiteGlobs(xml: string): string[] {
  const text = xml.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const suites = [...text.matchAll(/<testsuite\b[^<>]*>([\s\S]*?)(?:<\/testsuite>|$)/g)].map(([, body = '']) => body);
  const globs = suites.flatMap((body) => {
    const directories = [...body.matchAll(/<directory\b([^<>]*)>([^<]+)<\/directory>/g)].map(
      ([, attributes = '', written = '']) => {
        const suffix = /\bsuffix\s*=\s*["']([^"']+)["']/.exec(attributes)?.[1] ?? 'Test.php';
        const prefix = /\bprefix\s*=\s*["']([^"']+)["']/.exec(attributes)?.[1] ?? '';
        const directory = relative(written);
        return directory === null ? null : `${directory}**/${prefix}*${suffix}`;
      },
    );
    const files = [...body.matchAll(/<file\b[^<>]*>([^<]+)<\/file>/g)].map(([, written = '']) => relative(written));
    return [...directories, ...files.map((each) => each?.replace(/\/$/, '') ?? null)];
  });
  return [...new Set(globs.flatMap((each) => (each?.endsWith('.php') === true ? [each] : [])))];
}

/** A path of the settings with a slash at its end, '' for the project itself; null outside of it. */
function relative(written: string): string | null {
  const path = written.trim().replace(/^(?:\.\/)+|\/+$/g, '');
  if (path === '' || path === '.') return '';
  return path.startsWith('/') || path.split('/').includes('..') || /[$%]/.test(path) ? null : `${path}/`;
}
