/** Tags that enclose the kernel's notes. */
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

export function taggedNote(tag: NoteTag, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Foreign text, changed so that it can neither close the note that contains it nor pretend to be a note. */
export function withoutNoteTags(text: string): string {
  return text.replaceAll(OUR_TAGS, (_match, slash: string, tag: string) => `<${slash}${tag.replace('_', '-')}-`);
}
