/** A file's bytes as text for the model, or the result that they are binary. */
export type DecodedText =
  { readonly kind: 'text'; readonly text: string; readonly notes: readonly string[] } | { readonly kind: 'binary' };

/** git searches this many bytes for a NUL. */
const PROBE_BYTES = 8000;

/** The notes say what an exact edit needs to know: line ends, byte order mark, invalid bytes. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Label(bytes);
  if (utf16 !== null) {
    return { kind: 'text', text: new TextDecoder(utf16).decode(bytes), notes: [`encoded as ${utf16.toUpperCase()}`] };
  }
  if (bytes.subarray(0, PROBE_BYTES).includes(0)) return { kind: 'binary' };

  const notes: string[] = [];
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) notes.push('begins with a byte order mark');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder('utf-8').decode(bytes);
    notes.push("not valid UTF-8: what can't be read is shown as \ufffd");
  }
  if (text.includes('\r\n')) notes.push(/(?<!\r)\n/.test(text) ? 'some lines end in CRLF' : 'lines end in CRLF');
  return { kind: 'text', text, notes };
}

function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}
