import { createHash } from 'node:crypto';
import { firstText } from '../../../lib/text/first-last.ts';
import type { CommandFile } from '../../../tui/commands/own-command.ts';
import { PLACES } from '../../../tui/commands/own-command.ts';
import { oneLine } from '../../../lib/text/one-line.ts';

export type ParsedCommand =
  | { readonly kind: 'command'; readonly file: CommandFile }
  /** `why` completes "… is not a command: ". */
  | { readonly kind: 'unusable'; readonly why: string };

const NAME = /^[a-z\d][a-z\d_-]{0,39}$/;
const MAX_HELP = 120;
const MAX_ARGUMENT = 40;

/** A line `key: value` of the front matter, the value with or without quotes. Other keys are ignored. */
const FRONT_MATTER = /^---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|$)/;

/**
 * A Markdown file as a command: its name is the file's name without `.md`; description and argument are in its front matter (`description`,
 * `argument-hint`), and the rest is the text for the model. Pure.
 */
export function parseCommandFile(fileName: string, text: string, of: CommandFile['of']): ParsedCommand {
  const name = fileName.replace(/\.md$/, '');
  if (!NAME.test(name)) return unusable('its name has other characters than a-z, 0-9, - and _, or more than 40');
  const whole = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const [matter = '', fieldLines = ''] = FRONT_MATTER.exec(whole) ?? [];
  const body = whole.slice(matter.length).trim();
  if (body === '') return unusable('it has no text for the model');
  const fields = fieldsOf(fieldLines);
  const description = fields.get('description') ?? firstLine(body);
  const digest = createHash('sha256').update(`${name}\n${text}`).digest('hex');
  return {
    kind: 'command',
    file: { name, of, description: oneLine(description, MAX_HELP), argument: argumentOf(fields, body), body, digest },
  };
}

function unusable(why: string): ParsedCommand {
  return { kind: 'unusable', why };
}

function fieldsOf(front: string): ReadonlyMap<string, string> {
  const fields = front.split('\n').flatMap((line): [string, string][] => {
    const [start = '', key] = /^([\w-]+):/.exec(line) ?? [];
    const value = line.slice(start.length).trim();
    return key === undefined || value === '' ? [] : [[key, value.replace(/^(["'])(.*)\1$/, '$2')]];
  });
  return new Map(fields);
}

/** An argument in brackets is optional. A text without a place for arguments takes none. */
function argumentOf(fields: ReadonlyMap<string, string>, body: string): string | null {
  const hint = fields.get('argument-hint');
  if (hint !== undefined) return oneLine(hint, MAX_ARGUMENT);
  return body.search(PLACES) === -1 ? null : '[arguments]';
}

function firstLine(body: string): string {
  return firstText(body.split('\n')).replace(/^#+\s*/, '');
}
