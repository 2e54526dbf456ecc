import type { BaselineRun } from '../proof/baseline-run.ts';
import type { SessionContext } from '../services.ts';
import type { ProviderPool } from './model/provider-pool.ts';
import type { RunSpending } from './run-spending.ts';
import type { TitleWriter } from './model/title-writer.ts';

/** What one run needs, from its first message to its end. */
export interface RunContext extends SessionContext {
  readonly providers: ProviderPool;
  readonly spending: RunSpending;
  readonly baseline: BaselineRun;
  readonly titles: TitleWriter;
  /** The project's AGENTS.md and CLAUDE.md files. */
  readonly notes: string;
}
