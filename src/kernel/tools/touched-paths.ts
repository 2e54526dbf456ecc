import { assertNever } from '../../lib/assert-never.ts';
import type { ParsedCall } from '../../contracts/tools.ts';

/** Paths as the model sent them. `everything` stands for the whole project. */
export interface TouchedPaths {
  readonly reads: readonly string[] | 'everything';
  readonly writes: readonly string[] | 'everything';
}

/** Pure: what a call reads and writes. */
export function touchedPaths(call: ParsedCall): TouchedPaths {
  switch (call.tool) {
    case 'fs.read':
    case 'fs.exists':
    case 'fs.list':
      return { reads: [call.input.path], writes: [] };
    case 'search.grep':
    case 'search.glob':
      return { reads: call.input.path === undefined ? 'everything' : [call.input.path], writes: [] };
    case 'fs.write':
      return { reads: [], writes: [call.input.path] };
    case 'fs.edit':
    case 'fs.delete':
      return { reads: [call.input.path], writes: [call.input.path] };
    case 'fs.move':
      return { reads: [call.input.from], writes: [call.input.from, call.input.to] };
    case 'git.status':
    case 'git.diff':
    case 'git.log':
      return { reads: 'everything', writes: [] };
    case 'test.run':
    case 'shell.run':
    case 'git.commit':
    case 'plan.complete':
    case 'workflow.request_exemption':
    case 'workflow.revise_tests':
    case 'task.give_up':
      return { reads: 'everything', writes: 'everything' };
    default:
      return assertNever(call);
  }
}
