import type { Spending } from '../../contracts/session/session-snapshot.ts';

/**
 * The text of /cost: tokens by kind, and money, by model and purpose. Input excludes tokens read from or written to the
 * cache. Each entry has two rows, so that a narrow terminal does not wrap them. Pure.
 */
export function costText(spending: readonly Spending[]): string {
  if (spending.length === 0) return 'No model was asked yet.';
  return spending.flatMap((one) => [headOf(one), `  ${tokensOf(one)}`]).join('\n');
}

const PURPOSES: Readonly<Record<Spending['purpose'], string>> = {
  work: '',
  summary: ' (summaries)',
  title: ' (titles)',
};

function headOf({ model, purpose, requests, cost_usd: cost }: Spending): string {
  const money = cost === null ? 'cost unknown' : `${cost.toFixed(4)} USD`;
  return `${model}${PURPOSES[purpose]}: ${money}, requests: ${requests}`;
}

function tokensOf(one: Spending): string {
  const { input_tokens: input, cache_read_tokens: read, cache_write_tokens: write, output_tokens: output } = one;
  return `input ${input - write} · cache read ${read} · cache write ${write} · output ${output}`;
}
