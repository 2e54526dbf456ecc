import { join } from 'node:path';
import type { UserDirs } from '../../contracts/host-layout.ts';
import { MAX_USER_NOTES } from '../../contracts/session/session-protocol.ts';
import { readRegularText } from '../../lib/files/read-regular-file.ts';
import { cutText } from '../../lib/text/cut-text.ts';

const FILES = ['AGENTS.md', 'CLAUDE.md'];
const LIMITS = { maxBytes: 1024 * 1024, links: 'followed' } as const;

/** The user's notes for every project, from their own configuration directory; null if there are none. One file is often a copy of the other. */
export async function userNotes({ config }: Pick<UserDirs, 'config'>): Promise<string | null> {
  const read = await Promise.all(FILES.map((file) => readRegularText(join(config, file), LIMITS)));
  const texts = [...new Set(read.map((text) => text?.trim() ?? ''))].filter((text) => text !== '');
  if (texts.length === 0) return null;
  return cutText(texts.join('\n\n'), 'head', MAX_USER_NOTES).text;
}
