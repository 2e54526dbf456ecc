import { describe, expect, test } from 'vitest';
import { configuredEditor, runEditor } from '../../../src/cli/editor/run-editor.ts';

describe('an editor', () => {
  test.each([
    ['that ends well closed its file', 'true', { kind: 'closed' }],
    ['that fails says how', '(exit 3)', { kind: 'failed', how: 'exit 3' }],
    ['that crashes says how', 'kill -KILL $$;', { kind: 'failed', how: 'SIGKILL' }],
    ['that is ended says by what', 'kill -TERM $$;', { kind: 'ended', by: 'SIGTERM' }],
    ['that Ctrl-C ends was ended', '(exit 130)', { kind: 'ended', by: 'SIGINT' }],
    ['that is not there was not run', '/no/such/editor', { kind: 'not-run' }],
    ['that cannot be executed was not run', '/dev/null', { kind: 'not-run' }],
  ])('%s', async (_what, command, end) => {
    // Whatever follows the command names the file.
    expect(await runEditor(`${command} #`, '/dev/null', 'ignore').end).toEqual(end);
  });

  test('that is terminated was ended', async () => {
    const editor = runEditor('sleep 60 #', '/dev/null', 'ignore');
    editor.terminate();
    expect(await editor.end).toEqual({ kind: 'ended', by: 'SIGTERM' });
  });
});

test.each([
  [{ VISUAL: 'vi', EDITOR: 'ed' }, 'vi'],
  [{ VISUAL: ' ', EDITOR: 'ed' }, 'ed'],
  [{ EDITOR: '' }, null],
  [{}, null],
])('of %j the editor is %j', (env, editor) => {
  expect(configuredEditor(env)).toBe(editor);
});
