import { formatCost, formatElapsed, formatTokens } from './format-amount.ts';
import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';
import type { ViewState } from './view-state.ts';

const MAX_COMMITS = 5;

/** A summary of a session that is left: time worked, tokens, money if the price is known, commits, a waiting review. Pure. */
export function exitSummary({ meter, commits, card }: Pick<ViewState, 'meter' | 'commits' | 'card'>): SafeText {
  const tokens = meter.inputTokens + meter.outputTokens;
  const more = commits.length - MAX_COMMITS;
  const ids = commits.slice(-MAX_COMMITS).map((commit) => commit.slice(0, 10));
  const parts = [
    `${formatElapsed(meter.workedMs)} of work`,
    `${formatTokens(tokens)} tokens`,
    ...(meter.costUsd === null || tokens === 0 ? [] : [formatCost(meter.costUsd)]),
    commits.length === 0 ? 'no commit' : `commits: ${more > 0 ? `${more} more, ` : ''}${ids.join(', ')}`,
    ...(card === null ? [] : ['a review waits for you']),
  ];
  return safeLine(parts.join(' · '));
}
