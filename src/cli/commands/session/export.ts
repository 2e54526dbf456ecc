import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { EXPORT_FORMATS } from '../../session/export/export-formats.ts';

export const sessionExport = defineCommand({
  name: 'session export',
  summary: 'Write a session as a document, with secrets masked',
  arguments: [{ name: 'session', describe: 'Its id, or the beginning of it (default: the newest)' }],
  options: {
    format: { choices: EXPORT_FORMATS, default: 'md', describe: 'Markdown, one HTML page, or all events as JSON' },
  },
  examples: [
    { line: 'fluffy session export > session.md', what: 'The newest session as Markdown' },
    { line: 'fluffy session export s_cf0n --format html > session.html', what: 'A page to send to somebody' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).printExport(input, services),
});
