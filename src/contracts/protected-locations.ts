import { z } from 'zod';
import type { UserDirs } from './host-layout.ts';

const paths = z.array(z.string()).readonly();

/**
 * Project-relative paths that lie inside the project although they are not the project's: where somebody runs Fluffy on their home directory
 * or on its own checkout. Elsewhere there are none.
 */
export const protectedLocationsSchema = z.strictObject({
  bootstrap: paths,
  kernel: paths,
  audit: paths,
  state: paths,
  keys: paths,
});
export type ProtectedLocations = z.infer<typeof protectedLocationsSchema>;

/** What is run of a checkout. Its tests and documents are files like any other. */
const PROGRAM = [
  'dist',
  'node_modules',
  'package-lock.json',
  'package.json',
  'policy.yaml',
  'sandbox-images',
  'seccomp',
  'src',
  'tool-plugins',
];

/** All paths are real and absolute. */
export interface HostLocations {
  readonly projectRoot: string;
  /** Where the program that runs is installed. */
  readonly installRoot: string;
  readonly user: Pick<UserDirs, 'config' | 'stateHome'>;
  readonly project: { readonly database: string; readonly anchors: string };
}

/** Pure. */
export function protectedLocations({ projectRoot, installRoot, user, project }: HostLocations): ProtectedLocations {
  const root = projectRoot === '/' ? '/' : `${projectRoot}/`;
  const inside = (all: readonly string[]): string[] =>
    all.filter((path) => path.startsWith(root)).map((path) => path.slice(root.length));
  const program = installRoot === projectRoot ? PROGRAM.map((name) => `${installRoot}/${name}`) : [installRoot];
  return {
    bootstrap: inside([`${installRoot}/bin`, `${installRoot}/src/bootstrap`]),
    kernel: inside(program),
    audit: inside([project.database, project.anchors]),
    state: inside([user.stateHome]),
    keys: inside([user.config]),
  };
}
