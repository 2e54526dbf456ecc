import { commit, edit, learn, plan, read, runTests, say } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

/** Goes at it as at any other task, and learns that documentation needs no test. */
function* developer(): Developer {
  yield say('', read('README.md'));
  yield say('', plan('Fix the typo', 'Edit README.md'));
  const shut = yield say('', edit('README.md', 'notess', 'notes'));
  const exemption = learn(shut.results[0], /(workflow\.request_exemption)/);
  yield say('There is nothing that a test could say about this.', {
    tool: exemption,
    input: { category: 'documentation', affected_paths: ['README.md'], reason: 'A typo in prose' },
  });
  yield say('', edit('README.md', 'notess', 'notes'), runTests());
  yield say('', commit('Mend a typo in the README'));
}

export const readme: SmallTask = {
  name: 'mend a typo in the documentation',
  ask: 'Typo in the README: notess',
  wire: 'responses',
  developer,
  refused: ['tool_unavailable'],
  commits: ['M README.md'],
  forHuman: [/^No test was seen to fail first: README\.md was exempt\.$/],
};
