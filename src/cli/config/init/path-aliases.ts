import { join } from 'node:path';
import type { EventOf } from '../../../contracts/session/events.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { readRegularTextSync } from '../../../lib/files/read-regular-file.ts';
import { ownValue } from '../../../lib/own-value.ts';
import { parseJsonc } from '../../../lib/parse-jsonc.ts';

const LIMITS = { maxBytes: 1024 * 1024, links: 'followed' } as const;
/** How Node, jest and Vite say that a module is missing. */
const MISSING = /Cannot find (?:package|module) '([^']+)'|Failed to resolve import "([^"]+)"/;
/** What makes a runner use such an alias. */
const REMEDIES: Readonly<Record<string, string>> = {
  'node-test': 'start the tests with tsx (tsx --test)',
  mocha: 'require tsconfig-paths/register, or start mocha with tsx',
  jest: 'add them to moduleNameMapper of the configuration of jest',
  vitest: 'add them to resolve.alias of the configuration of vitest, or use the plugin vite-tsconfig-paths',
};

/**
 * What to do if a test could not be loaded because it imports by an alias of `tsconfig.json` that its runner does not
 * know. Empty otherwise.
 */
export function pathAliasAdvice(root: string, command: TestCommand, run: EventOf<'test.finished'> | null): string {
  const missing = (run?.cases ?? []).flatMap(({ failure }) => {
    const found = MISSING.exec(failure?.message ?? '');
    return found?.[1] ?? found?.[2] ?? [];
  });
  if (missing.length === 0) return '';
  for (const { runner, cwd } of [command, ...(command.others ?? [])]) {
    const remedy = ownValue(REMEDIES, runner);
    const alias = aliasesIn(join(root, cwd)).find((each) => missing.some((name) => isBy(each, name)));
    if (remedy !== undefined && alias !== undefined)
      return `Tests import by the alias ${JSON.stringify(alias)} of tsconfig.json, which ${runner} does not read: ${remedy}.\n`;
  }
  return '';
}

function isBy(alias: string, name: string): boolean {
  return alias.endsWith('*') ? name.startsWith(alias.slice(0, -1)) : name === alias;
}

/** `*` alone would match every module. */
function aliasesIn(directory: string): readonly string[] {
  const text = readRegularTextSync(join(directory, 'tsconfig.json'), LIMITS);
  const config = text === null ? null : (parseJsonc(text) as { compilerOptions?: { paths?: unknown } } | null);
  const paths = config?.compilerOptions?.paths;
  return typeof paths === 'object' && paths !== null ? Object.keys(paths).filter((alias) => alias !== '*') : [];
}
