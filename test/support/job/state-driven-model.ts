import { calls, turn } from '../wire/script.ts';
import type { ScriptedReply, ScriptedRequest } from '../wire/script.ts';
import { COMMIT, PLAN, RUN_TESTS, WRITE_SOURCE, WRITE_TEST } from './parse-config-turns.ts';

/**
 * A model that looks at where it stands before each step, as real ones do after an interruption: it plays the parseConfig task to its end from whatever state
 * the kernel tells it.
 */
export function stateDrivenModel(request: ScriptedRequest): ScriptedReply {
  const last = request.results.map((result) => result.content).join('\n');
  switch (request.state) {
    case 'planning':
      return PLAN;
    case 'test_writing':
      return /Wrote test|unchanged|Modified test/.test(last) ? RUN_TESTS : WRITE_TEST;
    case 'code_writing':
      return /Modified src|unchanged/.test(last) ? RUN_TESTS : WRITE_SOURCE;
    case 'reviewing':
      return COMMIT;
    case 'validating':
      return calls({ tool: 'git.status', input: {} });
    default:
      return turn({ text: 'Done.' });
  }
}
