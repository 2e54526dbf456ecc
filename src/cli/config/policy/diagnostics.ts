import type { PolicyDiagnostic } from '../../../contracts/policy.ts';

/** One finding a line, as compilers print them: `file:line:column: error: message`. */
export function renderDiagnostics(diagnostics: readonly PolicyDiagnostic[]): string {
  return diagnostics
    .map(({ file, line, column, severity, message }) => `${file}:${line}:${column}: ${severity}: ${message}\n`)
    .join('');
}
