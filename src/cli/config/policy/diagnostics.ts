import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import { escapeTerminal } from '../../../lib/escape-terminal.ts';

/** One finding a line, as compilers print them: `file:line:column: error: message`. Messages quote the file, so they are escaped. */
export function renderDiagnostics(diagnostics: readonly PolicyDiagnostic[]): string {
  return diagnostics
    .map(({ file, line, column, severity, message }) =>
      escapeTerminal(`${file}:${line}:${column}: ${severity}: ${message}`),
    )
    .map((line) => `${line}\n`)
    .join('');
}
