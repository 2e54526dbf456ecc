/** Names of the kernel's notes, as tags around them. */
export const NOTE_TAGS = [
  'environment',
  'project',
  'project_notes',
  'user_notes',
  'user_command',
  'project_command',
  'session_state',
  'earlier_conversation',
  'summary',
  'kernel_record',
] as const;
export type NoteTag = (typeof NOTE_TAGS)[number];

const OUR_TAGS = new RegExp(`<([\\s/]{0,16})(${NOTE_TAGS.join('|')})\\b`, 'gi');

/** A note of the kernel. */
export function taggedNote(tag: NoteTag, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Text of others, so that it cannot close the note that holds it, or pose as another. */
export function withoutNoteTags(text: string): string {
  return text.replaceAll(OUR_TAGS, (_match, slash: string, tag: string) => `<${slash}${tag.replace('_', '-')}-`);
}
