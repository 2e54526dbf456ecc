import type { Output } from '../../../src/cli/output/output.ts';

export interface CapturedOutput extends Output {
  readonly text: { stdout: string; stderr: string };
}

/** What a command writes, kept as it was written. */
export function capturedOutput(columns: number | null = null): CapturedOutput {
  const text = { stdout: '', stderr: '' };
  return {
    text,
    stdout: (more) => void (text.stdout += more),
    stderr: (more) => void (text.stderr += more),
    columns,
    errorColumns: columns,
    rows: async (rows, painter) => void (text.stdout += rows.map((row) => `${painter.row(row)}\n`).join('')),
    drained: () => Promise.resolve(),
  };
}
