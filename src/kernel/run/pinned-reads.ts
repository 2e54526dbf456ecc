import type { Session } from '../session/session.ts';
import { resultReference } from '../context/reference.ts';

/**
 * The user's pins for the kernel's record. A pinned path is followed by what was last read of it before `start`, the
 * first message that stays.
 */
export function pinsWithReads(session: Session, start: number): readonly string[] {
  return session.snapshot.pins.map((pin) => {
    const read = lastRead(session, pin);
    if (read === null || read.position >= start) return pin;
    return `${pin}, as it was read (${resultReference(read.position, read.index)}):\n${read.content}`;
  });
}

interface Read {
  readonly position: number;
  readonly index: number;
  readonly content: string;
}

function lastRead({ archive }: Session, pin: string): Read | null {
  for (const { position, message } of archive.search(pin)) {
    if (message.role !== 'assistant') continue;
    const named = new Set(
      message.calls
        .filter((call) => call.tool === 'fs.read' && call.arguments.includes(JSON.stringify(pin)))
        .map((call) => call.call_id),
    );
    const answered = named.size === 0 ? null : archive.message(position + 1);
    if (answered?.role !== 'tool') continue;
    const index = answered.results.findIndex((result) => result.ok && named.has(result.call_id));
    const content = answered.results[index]?.content;
    if (content !== undefined) return { position: position + 1, index, content };
  }
  return null;
}
