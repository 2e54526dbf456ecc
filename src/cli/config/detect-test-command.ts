import { join } from 'node:path';
import type { TestCommand } from '../../contracts/session-protocol.ts';
import { detectNode } from './test-command/detect-node.ts';
import { detectPython } from './test-command/detect-python.ts';
import { readProjectDirectory } from './test-command/project-directory.ts';

/**
 * How a project's tests run, read from its own files, from `cwd` up to the project: nothing is executed. null when there is no sign of a runner.
 */
export async function detectTestCommand(projectRoot: string, cwd: string): Promise<TestCommand | null> {
  const parts = cwd === '' ? [] : cwd.split('/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const directory = parts.slice(0, depth).join('/');
    const found = await detectIn(join(projectRoot, directory), directory);
    if (found !== null) return found;
  }
  return null;
}

async function detectIn(path: string, cwd: string): Promise<TestCommand | null> {
  const directory = await readProjectDirectory(path);
  const node = await detectNode(directory, cwd);
  if (node !== null) return node;
  if (directory.has('go.mod')) return { runner: 'go-test', cwd, args: [] };
  return detectPython(directory, cwd);
}
