import { z } from 'zod';
import { pathField } from './shared/input-fields.ts';
import { TEST_TOOL } from './plugins.ts';
import { NEXT_TASK, WRITING } from './shared/states.ts';
import { defineTool } from './tool.ts';

export const testRun = defineTool({
  name: 'test.run',
  synonyms: ['run_tests', 'runtests', 'test'],
  description:
    "Run the project's tests. In test_writing a new test that fails as a test opens the source. In code_writing the whole suite has to pass, which opens the review.",
  input: z.strictObject({
    paths: z.array(pathField).max(200).optional().describe('Test files; none means the whole suite.'),
    network: z
      .boolean()
      .optional()
      .describe(
        'With the hosts that the user has configured for tests; a person may have to allow it. Services run without it.',
      ),
  }),
  foreign: {
    names: { paths: ['files', 'test_files', 'path', 'file', 'file_path', 'test_file', 'test_path'] },
    idle: ['coverage', 'verbose'],
  },
  place: 'test',
  effect: 'run',
  plugin: TEST_TOOL,
  states: ['planning', ...WRITING],
  opens: NEXT_TASK,
  result: { maxTokens: 4_000, keep: 'ends' },
  paths: ({ paths }) => paths ?? [],
  network: ({ network }) => (network === true ? 'integration-test' : null),
  describe: ({ paths = [] }) => (paths.length === 0 ? 'the whole suite' : paths.join(' ')),
  perform: (_input, context) => context.runTests(),
});
