import type { ProviderSandbox } from '../../contracts/ports/sandboxes.ts';
import type { BaselineRun } from '../proof/baseline-run.ts';
import type { SessionContext } from '../services.ts';

/** What one run works with, from its first message to its end. */
export interface RunContext extends SessionContext {
  readonly provider: ProviderSandbox;
  readonly baseline: BaselineRun;
  /** The project's AGENTS.md and CLAUDE.md files. */
  readonly notes: string;
}
