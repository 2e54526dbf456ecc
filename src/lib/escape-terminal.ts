export interface EscapeOptions {
  /** Keeps line feeds and tabs as they are, for text of several lines. */
  readonly multiline?: boolean;
}

/**
 * What a terminal would act on instead of showing, or show as nothing: control characters (C0, DEL, C1), line and paragraph
 * separators, bidirectional controls, zero-width and other format characters, fillers drawn as blanks, lone surrogates.
 * U+FE0F stays: after an emoji it is ordinary text, and alone it hides nothing.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const HARMLESS = '\u{fe0f}';

/**
 * Emoji of several characters that Unicode recommends for general use: families, flags, skin tones. Their joiners and tags are among the unsafe ones
 * everywhere else.
 */
const JOINED = /\p{RGI_Emoji}/gv;
const JOINERS = /[\u{200d}\u{e0020}-\u{e007f}]/u;

/** Untrusted text made safe to print: every such character becomes `\x1b`, `\u{202e}`, `\n`, … in plain letters. */
export function escapeTerminal(text: string, options: EscapeOptions = {}): string {
  if (!JOINERS.test(text)) return escapeEach(text, options);
  let escaped = '';
  let end = 0;
  for (const { 0: emoji, index } of text.matchAll(JOINED)) {
    if (!JOINERS.test(emoji)) continue;
    escaped += escapeEach(text.slice(end, index), options) + emoji;
    end = index + emoji.length;
  }
  return escaped + escapeEach(text.slice(end), options);
}

function escapeEach(text: string, options: EscapeOptions): string {
  return text.replace(UNSAFE, (character) => {
    if (character === HARMLESS) return character;
    if (options.multiline === true && (character === '\n' || character === '\t')) return character;
    return spell(character);
  });
}

function spell(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** The same for JSON text: still JSON, with the same value. */
export function escapeJsonForTerminal(json: string): string {
  return json.replace(UNSAFE, (character) => {
    if (character === HARMLESS || character === '\n') return character;
    return Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}
