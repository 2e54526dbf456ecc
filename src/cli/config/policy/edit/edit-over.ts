import { EXIT } from '../../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../../contracts/exit-codes.ts';
import { escapeTerminal } from '../../../../lib/text/escape-terminal.ts';
import type { EditResult } from './edit-report.ts';
import type { EndedBy } from './editor-session.ts';
import type { ProposedUpdate } from '../propose-update.ts';

/** The end of `config policy edit` without a change. */
export interface Over {
  readonly kind: 'over';
  readonly outcome: EditResult;
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  /** What was shown before. */
  readonly update?: ProposedUpdate;
}

export const UNCHANGED: Over = {
  kind: 'over',
  outcome: 'unchanged',
  exitCode: EXIT.done,
  lines: ['Nothing has changed.'],
};

export function interrupted(by: EndedBy): Over {
  return {
    kind: 'over',
    outcome: 'interrupted',
    exitCode: by === 'SIGINT' ? EXIT.interrupted : EXIT.terminated,
    lines: [`${by === 'SIGINT' ? 'Interrupted' : 'Terminated'}: nothing was changed.`],
  };
}

export function conflict(why: string): Over {
  const lines = [`${escapeTerminal(why)}. Nothing was written.`];
  return { kind: 'over', outcome: 'conflict', exitCode: EXIT.failed, lines };
}

export function failed(line: string): Over {
  return { kind: 'over', outcome: 'failed', exitCode: EXIT.usage, lines: [line] };
}
