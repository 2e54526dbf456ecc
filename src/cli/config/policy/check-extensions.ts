import type { Location, Message } from 'esbuild';
import { join } from 'node:path';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import type { CompiledPolicy } from '../../../kernel/policy/index.ts';

/**
 * Checks extensions without running them: each must be TypeScript, import nothing, and have a default export. `directory`: where their files are.
 * None of the project's own settings is read.
 */
export async function checkExtensions(
  { extensions }: Pick<CompiledPolicy, 'extensions'>,
  directory: string,
): Promise<readonly PolicyDiagnostic[]> {
  const errors: PolicyDiagnostic[] = [];
  for (const { entry, source } of extensions) {
    if (source !== undefined) errors.push(...(await checkSource(source, join(directory, entry))));
  }
  return errors;
}

async function checkSource(source: string, file: string): Promise<readonly PolicyDiagnostic[]> {
  // As large as the rest of the command line together, and needed only for extensions.
  const { build } = await import('esbuild');
  const ONE_FILE = 'an extension is one file, so it imports nothing; types come in with `import type`';
  const outcome = await build({
    stdin: { contents: source, loader: 'ts', sourcefile: file },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'esnext',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [
      {
        name: 'one-file',
        setup: (bundler) =>
          bundler.onResolve({ filter: /./ }, ({ path }) => ({
            errors: [{ text: `${JSON.stringify(path)}: ${ONE_FILE}` }],
          })),
      },
    ],
  }).catch((error: unknown) => {
    if (isBuildFailure(error)) return error;
    throw error;
  });
  if ('errors' in outcome && outcome.errors.length > 0)
    return outcome.errors.map((message) => diagnostic(file, message.text, message.location));
  const exported = Object.values('metafile' in outcome ? outcome.metafile.outputs : {}).flatMap(
    (output) => output.exports,
  );
  if (exported.includes('default')) return [];
  return [diagnostic(file, 'it has no default export: the function that is asked', null)];
}

function isBuildFailure(error: unknown): error is { readonly errors: readonly Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function diagnostic(file: string, message: string, location: Location | null): PolicyDiagnostic {
  const { line, column } = location ?? { line: 1, column: 0 };
  return { file, line, column: column + 1, message, severity: 'error' };
}
