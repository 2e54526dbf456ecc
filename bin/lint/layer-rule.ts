import { dirname, normalize } from 'node:path/posix';
import ts from 'typescript';
import type { SourceFile } from '../../test/support/source/source-files.ts';

/**
 * Which part of the product a file belongs to, and which parts it may import. `docs/architecture.md` says why.
 *
 * A step is a folder of the kernel that does one thing and knows no other. A joint connects steps. Joints have an order: each may
 * import steps and the joints before it, so there are no cycles between folders.
 */
export type Part =
  | 'contracts'
  | 'lib'
  | 'ipc'
  | 'bootstrap'
  | 'platform'
  | 'providers'
  | 'host'
  | 'host/setup'
  | 'tui'
  | 'cli'
  | 'kernel/main'
  | 'kernel/services'
  | `kernel/joint/${string}`
  | `kernel/step/${string}`
  | `tool-plugins/${string}`;

const JOINTS = ['policy-source', 'record', 'access', 'proof', 'review', 'call', 'commit', 'run', 'start', 'serve'];
const PARTS: readonly string[] = ['contracts', 'lib', 'ipc', 'bootstrap', 'platform', 'providers', 'tui', 'cli'];

/** Throws for a file that no part has room for: a new top-level folder needs a rule first. */
export function partOf(path: string): Part {
  const [top, area, inner, ...rest] = path.split('/');
  if (top === 'tool-plugins' && area !== undefined && inner !== undefined) return `tool-plugins/${area}`;
  if (top !== 'src' || area === undefined || inner === undefined) throw new Error(`${path} belongs to no part`);
  if (area === 'host') return inner === 'setup' ? 'host/setup' : 'host';
  if (area === 'kernel') {
    if (rest.length > 0) return JOINTS.includes(inner) ? `kernel/joint/${inner}` : `kernel/step/${inner}`;
    if (inner === 'main.ts') return 'kernel/main';
    if (inner === 'services.ts') return 'kernel/services';
    throw new Error(`${path} belongs to no part`);
  }
  if (PARTS.includes(area)) return area as Part;
  throw new Error(`${path} belongs to no part`);
}

/** Whether a file of `from` may import one of `to`. Its own part always may. */
export function mayImport(from: Part, to: Part): boolean {
  if (from === to) return true;
  if (from === 'bootstrap') return false;
  const vocabulary = to === 'contracts' || to === 'lib';
  // The two are one layer: schemas are parsed with helpers, helpers speak of ids and results.
  if (from === 'contracts' || from === 'lib' || from === 'tui' || from === 'ipc') return vocabulary;
  if (from === 'cli') return !to.startsWith('tool-plugins/');
  const shared = vocabulary || to === 'ipc';
  if (from.startsWith('tool-plugins/')) return shared || to === 'tool-plugins/sdk';
  // Tools are data and functions that the other steps derive lists from; they import no step themselves.
  if (from.startsWith('kernel/step/')) return shared || to === 'kernel/step/tools';
  // A file of types: what the joints share.
  if (from === 'kernel/services') return shared || to.startsWith('kernel/step/') || to === 'kernel/joint/review';
  if (from.startsWith('kernel/joint/')) {
    const isBelow = orderOf(to) !== -1 && orderOf(to) < orderOf(from);
    return shared || to.startsWith('kernel/step/') || to === 'kernel/services' || isBelow;
  }
  if (from === 'kernel/main') return shared || to.startsWith('kernel/') || to === 'platform';
  if (from === 'host/setup') return shared || to === 'host' || to === 'bootstrap';
  return shared;
}

function orderOf(part: Part): number {
  return JOINTS.findIndex((joint) => part === `kernel/joint/${joint}`);
}

/** Every import of our own that the rule forbids, as `importer -> imported`; types count, and so do dynamic imports. */
export function layerViolations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    ownImports(path, text)
      .filter((imported) => !mayImport(partOf(path), partOf(imported)))
      .map((imported) => `${path} -> ${imported}`),
  );
}

/** Circles of imports, each as `a -> b -> a` from its first file in the order given; one for each file that closes a circle. */
export function importCycles(files: readonly SourceFile[]): readonly string[] {
  const imports = new Map(files.map(({ path, text }) => [path, ownImports(path, text)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push([...trail.slice(start), path].join(' -> '));
    if (start !== -1 || done.has(path)) return;
    for (const imported of imports.get(path) ?? []) visit(imported, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

/** Repository paths of what a file imports from this repository. A file above the parts (package.json) is data and left out. */
function ownImports(path: string, text: string): readonly string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(`${dirname(path)}/${specifier}`))
    .filter((imported) => imported !== 'package.json');
}
