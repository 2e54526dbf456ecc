import { EXIT } from '../../contracts/exit-codes.ts';
import { EFFORTS } from '../../contracts/model/model-facts.ts';
import { SESSION_MODES } from '../../contracts/session/workflow-states.ts';
import { defineCommand } from '../command-line/cli-command.ts';
import { readRun, runTask } from '../run-task.ts';
import { OUTPUT_FORMATS } from '../run-arguments.ts';

/** `fluffy [task…]`: the command without a name. */
export const run = defineCommand({
  name: '',
  summary: 'Work on a task, or start interactively',
  arguments: [{ name: 'task', describe: 'What to do; without one, it is typed in the terminal', rest: true }],
  options: {
    print: { alias: 'p', type: 'boolean', default: false, describe: 'Run without a terminal and print the answer' },
    'output-format': { choices: OUTPUT_FORMATS, default: 'text', describe: 'What a run without a terminal prints' },
    'input-format': { choices: ['text', 'stream-json'], default: 'text', describe: 'What is read from standard input' },
    mode: { choices: SESSION_MODES, describe: 'How much has to be proved (default: strict)' },
    model: { type: 'string', requiresArg: true, describe: 'provider/model, or replay/<file>' },
    effort: { choices: EFFORTS, describe: 'How much the model is to think, where it lets one choose' },
    'base-url': {
      type: 'string',
      requiresArg: true,
      describe: "Another path on the host and port of the model's provider",
    },
    approve: {
      choices: ['never', 'auto', 'ask'],
      default: 'auto',
      describe: 'auto: policy may approve; ask: a human decides everything; never: a dry run',
    },
    'max-turns': { type: 'number', requiresArg: true, describe: 'Requests to the model' },
    'max-tokens': { type: 'number', requiresArg: true, describe: 'Tokens of input and output of all requests' },
    'max-cost': { type: 'number', requiresArg: true, describe: 'USD; needs a price of the model' },
    'max-duration': { type: 'string', requiresArg: true, describe: 'For example 10m' },
    continue: { alias: 'c', type: 'boolean', default: false, describe: 'Resume the newest session' },
    resume: { alias: 'r', type: 'string', describe: 'Resume this session; without an id, choose one' },
    fork: { type: 'boolean', default: false, describe: 'With --continue or --resume: in a new session' },
    worktree: {
      alias: 'w',
      type: 'string',
      requiresArg: true,
      describe: 'Work in a linked worktree with this branch; it is made beside the project if missing',
    },
    'screen-reader': {
      type: 'boolean',
      default: false,
      describe: 'In a terminal: lines one below the other, nothing that moves or is drawn twice',
    },
    verbose: { type: 'boolean', default: false, describe: 'Print also what each tool was given, and tokens' },
  },
  examples: [
    { line: 'fluffy', what: 'Start a session in the terminal' },
    { line: 'fluffy -p "Add error handling to parseConfig"', what: 'Run a task without a terminal' },
    { line: 'npm test 2>&1 | fluffy -p "Why does this fail?"', what: 'Give it something to read' },
    {
      line: 'fluffy --worktree parser "Speed up the parser"',
      what: 'Work beside your checkout, on a branch of its own',
    },
    { line: 'fluffy -- review the parser', what: 'Send a task that begins like a command' },
  ],
  exitCodes: Object.values(EXIT),
  read: readRun,
  run: runTask,
});
