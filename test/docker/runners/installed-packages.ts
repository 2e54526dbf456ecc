import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface Manifest {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Gives a project `name` and everything it needs, copied from the packages installed here: as an installation of its own, offline. */
export function installFromHere(projectRoot: string, name: string): void {
  const wanted = [name];
  const done = new Set<string>();
  linkPrograms(projectRoot, name);
  for (let each = wanted.pop(); each !== undefined; each = wanted.pop()) {
    const from = resolve('node_modules', each);
    if (done.has(each) || !existsSync(from)) continue;
    done.add(each);
    cpSync(from, join(projectRoot, 'node_modules', each), { recursive: true, dereference: true });
    wanted.push(...neededBy(from));
  }
}

/** What a package and the packages inside of it need. */
function neededBy(directory: string): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
  );
  const inside = globSync('node_modules/{*,@*/*}/package.json', { cwd: directory }).map((path) => dirname(path));
  return [
    ...peers,
    ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    ...inside.flatMap((path) => neededBy(join(directory, path))),
  ];
}

/** What the project's own scripts call: the programs of the package in `node_modules/.bin`, as npm puts them there. */
function linkPrograms(projectRoot: string, name: string): void {
  const manifest = JSON.parse(readFileSync(resolve('node_modules', name, 'package.json'), 'utf8')) as Manifest;
  const programs = typeof manifest.bin === 'string' ? { [name]: manifest.bin } : (manifest.bin ?? {});
  const directory = join(projectRoot, 'node_modules/.bin');
  mkdirSync(directory, { recursive: true });
  for (const [program, path] of Object.entries(programs)) symlinkSync(join('..', name, path), join(directory, program));
}
