import { lastText } from '../text/first-last.ts';
/** A Markdown text with one more list item at its end, with its own line ends. Pure. */
export function withLine(text: string, point: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const kept = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`;
  const isList = /^[-*+] /.test(lastText(kept.trimEnd().split(/\r?\n/)));
  const gap = kept === '' || isList || kept.endsWith(`${lineEnd}${lineEnd}`) ? '' : lineEnd;
  return `${kept}${gap}- ${point}${lineEnd}`;
}
