import { readManifest, scriptSign } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { nodeTestArguments } from './arguments.ts';

const TEST_NAME = /^tests?$|[.-]test\.[cm]?[jt]s$/;

/** A script that starts it; or a package without dependencies that has tests, which can only be for Node's own runner. */
export function detectNodeTest(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  if (manifest === null) return null;
  const started = scriptSign(manifest, nodeTestArguments);
  if (started !== null) return started;
  const tests = project.names('').find((name) => TEST_NAME.test(name));
  if (tests === undefined || manifest.dependencies.size > 0) return null;
  return { strength: 'tests', because: `there is ${tests}, and package.json has no dependencies`, args: [] };
}
