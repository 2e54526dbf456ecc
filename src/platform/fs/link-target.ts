/**
 * Why a link made by a sandbox may not be accepted, or null. Judged by its text alone, so its target need not exist.
 * `..` is allowed only at the front, where it climbs through real directories: after a name, it could climb out of the
 * target of a link.
 */
export function whyLinkRefused(path: string, target: string, projectRoot: string): string | null {
  if (target === '') return 'names nothing';
  const absolute = target.startsWith('/');
  if (absolute && target !== projectRoot && !target.startsWith(`${projectRoot}/`)) return 'leads out of the project';
  const names = (absolute ? target.slice(projectRoot.length) : target)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  const climbs = names.findIndex((name) => name !== '..');
  const up = climbs === -1 ? names.length : climbs;
  if (names.slice(up).includes('..')) return 'climbs after it descended';
  const depth = absolute ? 0 : path.split('/').length - 1;
  if (up > depth) return 'leads out of the project';
  const led = [...path.split('/').slice(0, depth - up), ...names.slice(up)];
  return led[0] === '.git' ? "leads into git's own directory" : null;
}
