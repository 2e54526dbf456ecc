import { dirname, normalize } from 'node:path/posix';
import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

/**
 * Which part of the product a file belongs to, and which parts it may import. `docs/architecture.md` says why.
 *
 * A step is a folder of the kernel that does one thing; steps meet in the joints and nowhere else.
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
  | 'kernel/joint'
  | `kernel/step/${string}`
  | `tool-plugins/${string}`;

const JOINTS = ['pipeline', 'serve'];
const PARTS: readonly string[] = ['contracts', 'lib', 'ipc', 'bootstrap', 'platform', 'providers', 'tui', 'cli'];

/** Throws for a file that no part has room for: a new top-level folder needs a rule first. */
export function partOf(path: string): Part {
  const [top, area, inner, ...rest] = path.split('/');
  if (top === 'tool-plugins' && area !== undefined && inner !== undefined) return `tool-plugins/${area}`;
  if (top !== 'src' || area === undefined || inner === undefined) throw new Error(`${path} belongs to no part`);
  if (area === 'host') return inner === 'setup' ? 'host/setup' : 'host';
  if (area === 'kernel') {
    if (rest.length === 0) return inner === 'main.ts' ? 'kernel/main' : 'kernel/joint';
    return JOINTS.includes(inner) ? 'kernel/joint' : `kernel/step/${inner}`;
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
  if (from.startsWith('kernel/step/')) return shared;
  if (from === 'kernel/joint') return shared || to.startsWith('kernel/step/');
  if (from === 'kernel/main') return shared || to.startsWith('kernel/') || to === 'platform';
  if (from === 'host/setup') return shared || to === 'host' || to === 'bootstrap';
  return shared;
}

/** Every import of our own that the rule forbids, as `importer -> imported`; types count, and so do dynamic imports. */
export function layerViolations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    ownImports(path, text)
      .filter((imported) => !mayImport(partOf(path), partOf(imported)))
      .map((imported) => `${path} -> ${imported}`),
  );
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
