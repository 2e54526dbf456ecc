/** A Markdown text with one more point at its end, in the line ends that it has. Pure. */
export function withLine(text: string, point: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const kept = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`;
  const isList = /^[-*+] /.test(kept.trimEnd().split(/\r?\n/).at(-1) ?? '');
  const gap = kept === '' || isList || kept.endsWith(`${lineEnd}${lineEnd}`) ? '' : lineEnd;
  return `${kept}${gap}- ${point}${lineEnd}`;
}
