import type { Spending } from '../../contracts/session/session-snapshot.ts';

const KINDS = ['input_tokens', 'cache_read_tokens', 'cache_write_tokens', 'output_tokens'] as const;

/** Pure: for /cost: tokens by kind and money, by model and purpose. Input is without what came from the cache or went into it. */
export function costText(spending: readonly Spending[]): string {
  if (spending.length === 0) return 'No model was asked yet.';
  const rows = spending.map((one) => [
    `${one.model}${one.purpose === 'summary' ? ' (summaries)' : ''}`,
    String(one.requests),
    ...KINDS.map((kind) => String(kind === 'input_tokens' ? one.input_tokens - one.cache_write_tokens : one[kind])),
    one.cost_usd === null ? 'unknown' : one.cost_usd.toFixed(4),
  ]);
  const table = [['model', 'requests', 'input', 'cache read', 'cache write', 'output', 'USD'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
