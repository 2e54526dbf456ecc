import { createInterface } from 'node:readline/promises';
import { execa } from 'execa';
import { auditEntrySchema } from '../../contracts/audit-entry.ts';
import type { AuditEntry } from '../../contracts/audit-entry.ts';
import { auditLog } from '../audit/audit-log.ts';
import type { EditorSession } from '../config/policy/edit.ts';
import type { Environment } from '../open-project.ts';

/** The person in front of the terminal: their editor, and their answers. Without a terminal nobody answers. */
export function personAtTerminal(env: Environment): EditorSession {
  const command = env['VISUAL'] ?? env['EDITOR'] ?? '';
  return {
    edit: async (file) => {
      const [program, ...args] = command.split(' ').filter((word) => word !== '');
      if (program === undefined) return false;
      const { exitCode } = await execa(program, [...args, file], { stdio: 'inherit', reject: false });
      return exitCode === 0;
    },
    ask: async (question) => {
      if (!process.stdin.isTTY) return null;
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await terminal.question(question);
      } finally {
        terminal.close();
      }
    },
  };
}

/** The newest records of a project's log, newest first; none where there is no log. */
export async function recentEntries(databasePath: string, limit: number): Promise<readonly AuditEntry[]> {
  const newest: AuditEntry[] = [];
  await auditLog({
    databasePath,
    json: true,
    write: (line) => {
      newest.push(auditEntrySchema.parse(JSON.parse(line)));
      if (newest.length > limit) newest.shift();
    },
  });
  return newest.reverse();
}
