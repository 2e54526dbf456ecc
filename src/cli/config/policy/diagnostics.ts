import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../../lib/text/escape-terminal.ts';

/** One finding per line, in the form of compilers: `file:line:column: error: message`. Messages quote the file, so they are escaped. */
export function renderDiagnostics(diagnostics: readonly PolicyDiagnostic[]): string {
  return diagnostics
    .map(({ file, line, column, severity, message }) =>
      escapeTerminal(`${file}:${line}:${column}: ${severity}: ${message}`),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** The same as data, as `check --json` prints it: `{"valid", "errors": [{file, line, column, message, severity}], "warnings": […]}`. */
export function diagnosticsJson(errors: readonly PolicyDiagnostic[], warnings: readonly PolicyDiagnostic[]): string {
  const json = JSON.stringify({ valid: errors.length === 0, errors, warnings });
  return `${escapeJsonForTerminal(json)}\n`;
}
