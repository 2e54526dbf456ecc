import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { EXPORT_FORMATS } from '../../session/export/export-formats.ts';

export const sessionExport = defineCommand({
  name: 'session export',
  summary: 'Write a session as a document, with secrets masked',
  arguments: [{ name: 'session', describe: 'Its id, or the beginning of it (default: the newest)' }],
  options: {
    format: {
      choices: EXPORT_FORMATS,
      describe:
        'Markdown, one HTML page, all events as JSON, or turns for --model replay/FILE (default: by the ending of --output, else md)',
    },
    output: { alias: 'o', type: 'string', describe: 'Write it to this file' },
  },
  examples: [
    { line: 'fluffy session export > session.md', what: 'The newest session as Markdown' },
    { line: 'fluffy session export s_cf0n -o session.html', what: 'A page that you can send to others' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).printExport(input, services),
});
