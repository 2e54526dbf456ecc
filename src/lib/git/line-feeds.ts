/** The content with LF in place of each CRLF, otherwise unchanged. Pure. */
export function withLineFeeds(content: Buffer): Buffer {
  return hasCrlf(content) ? Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : content;
}

export function hasCrlf(content: Buffer): boolean {
  return content.includes('\r\n');
}
