import type { ProjectFiles } from '../runner.ts';

/** Settings files of PHPUnit, in the order in which it looks for them. */
export const SETTINGS = ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist'] as const;

/** Returns the settings file that PHPUnit would read; undefined if there is none. */
export function settingsFile(project: ProjectFiles): string | undefined {
  return SETTINGS.find((name) => project.has(name));
}

/**
 * Returns the files of all test suites as globs. `**` in the name of a directory has the same meaning as in PHPUnit.
 */
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

/** A path from the settings with a slash at its end; '' for the project root; null if it is outside of the project. */
function relative(written: string): string | null {
  const path = written.trim().replace(/^(?:\.\/)+|\/+$/g, '');
  if (path === '' || path === '.') return '';
  return path.startsWith('/') || path.split('/').includes('..') || /[$%]/.test(path) ? null : `${path}/`;
}
