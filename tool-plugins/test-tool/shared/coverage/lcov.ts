/** Lines that ran, by place in `files`, in the format of lcov. A file without lines was loaded, and none of its lines ran. */
export function lcovOf(files: readonly string[], executed: ReadonlyMap<number, readonly number[]>): string {
  let text = '';
  for (const [place, lines] of executed) {
    text += `SF:${files[place] ?? ''}\n`;
    for (const line of lines) text += `DA:${line},1\n`;
    text += 'end_of_record\n';
  }
  return text;
}
