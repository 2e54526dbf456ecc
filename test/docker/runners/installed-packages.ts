import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Gives a project `name` and everything it needs, copied from the packages installed here: as an installation of its own, offline. */
export function installFromHere(projectRoot: string, name: string): void {
  const wanted = [name];
  const done = new Set<string>();
  for (let each = wanted.pop(); each !== undefined; each = wanted.pop()) {
    const from = resolve('node_modules', each);
    if (done.has(each) || !existsSync(from)) continue;
    done.add(each);
    cpSync(from, join(projectRoot, 'node_modules', each), { recursive: true, dereference: true });
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
      (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
    );
    wanted.push(...peers, ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
  }
}
