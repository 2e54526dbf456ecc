import { z } from 'zod';
import type { UserDirs } from './host-layout.ts';

const paths = z.array(z.string()).readonly();

/**
 * Project-relative paths of Fluffy's own files that are inside the project, when Fluffy runs on the user's home directory or on its own checkout.
 * Empty in other projects.
 */
export const protectedLocationsSchema = z.strictObject({
  bootstrap: paths,
  kernel: paths,
  audit: paths,
  state: paths,
  keys: paths,
});
export type ProtectedLocations = z.infer<typeof protectedLocationsSchema>;

/** The parts of a checkout that are executed. Its tests and documents are ordinary files. */
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
  /** Where the running program is installed. */
  readonly installRoot: string;
  readonly user: Pick<UserDirs, 'config' | 'stateHome'>;
  readonly project: { readonly database: string; readonly anchors: string };
}

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
