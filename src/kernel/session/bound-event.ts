import type { EventBody } from '../../contracts/session/events.ts';

/**
 * An event carries at most this many characters of text. In JSON a character takes at most six bytes, and a frame holds
 * 8 MiB, so every event can be sent.
 */
export const MAX_EVENT_CHARACTERS = 1024 * 1024;
/** A review shows this much of its diff at once; `review.diff` gives the rest. */
export const MAX_SHOWN_DIFF = 256 * 1024;
const MAX_TEXT = 16 * 1024;
const MAX_ENTRIES = 1_000;
/** A deeper value does not fit into a frame. */
const MAX_DEPTH = 48;

/** The event unchanged, a shorter form if it is too large to be sent, or a notice that says what is missing. Pure. */
export function boundEvent(body: EventBody): EventBody {
  if (isSmall(body)) return body;
  const shorter = shorten(body);
  if (isSmall(shorter)) return shorter;
  return {
    type: 'notice',
    level: 'warn',
    what: `An event of type ${body.type} is not shown`,
    why: `it is larger than ${MAX_EVENT_CHARACTERS} characters, or nested too deeply`,
    fix: 'Nothing; what happened is in the audit log',
    code: 'event_too_large',
  };
}

function shorten(body: EventBody): EventBody {
  if (body.type === 'review.requested') {
    const { diff, ...shown } = body;
    const cut = firstPart(diff);
    const length = cut.length < diff.length ? { diff_characters: diff.length } : {};
    return { ...(cutTexts(shown, 0) as typeof shown), diff: cut, ...length };
  }
  if (body.type === 'tool.finished') {
    const { diff: _diff, ...rest } = body;
    return cutTexts(rest, 0) as EventBody;
  }
  if (body.type === 'test.finished' && body.cases !== undefined) {
    // Failed cases are the ones that readers look for.
    const failed = body.cases.filter(({ status }) => status === 'failed');
    const others = body.cases.filter(({ status }) => status !== 'failed');
    return cutTexts({ ...body, cases: [...failed, ...others] }, 0) as EventBody;
  }
  return cutTexts(body, 0) as EventBody;
}

/** The beginning of a diff, up to the end of a line. */
export function firstPart(diff: string): string {
  if (diff.length <= MAX_SHOWN_DIFF) return diff;
  const end = diff.lastIndexOf('\n', MAX_SHOWN_DIFF - 1);
  return diff.slice(0, end === -1 ? MAX_SHOWN_DIFF : end + 1);
}

/** Long texts and lists are cut, with a note about the rest. */
function cutTexts(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}… (${value.length - MAX_TEXT} more)`;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((each) => cutTexts(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutTexts(each, depth + 1)]));
}

function isSmall(body: EventBody): boolean {
  let left = MAX_EVENT_CHARACTERS;
  const count = (value: unknown, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false;
    if (typeof value === 'string') left -= value.length;
    else left -= 8;
    if (left < 0) return false;
    if (typeof value !== 'object' || value === null) return true;
    for (const key in value) {
      left -= key.length;
      if (!count((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return false;
    }
    return true;
  };
  return count(body, 0);
}
