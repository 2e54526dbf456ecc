export interface EscapeOptions {
  /** Keeps line feeds and tabs, for text of several lines. */
  readonly multiline?: boolean;
}

/**
 * Characters that a terminal interprets or shows as nothing: control characters (C0, DEL, C1), line and paragraph separators, bidirectional controls,
 * zero-width and other format characters, fillers drawn as blanks, lone surrogates. U+FE0F is allowed: after an emoji it is ordinary text, and alone
 * it hides nothing.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const HARMLESS = '\u{fe0f}';

const JOINERS = /[\u{200d}\u{e0020}-\u{e007f}]/u;

/** Untrusted text made safe to print: every such character becomes `\x1b`, `\u{202e}`, `\n`, … in plain letters. */
export function escapeTerminal(text: string, options: EscapeOptions = {}): string {
  return splitJoined(text)
    .map((part) => (part.joined ? part.text : escapeEach(part.text, options)))
    .join('');
}

/** A part of a text that is safe to print; `spelled` if it replaces an unsafe character. */
export interface SpelledPiece {
  readonly text: string;
  readonly spelled: boolean;
}

/** The same for one line, with replaced characters separate from the rest. `further`: characters to replace as well. */
export function spelledPieces(line: string, further: RegExp): readonly SpelledPiece[] {
  return splitJoined(line).flatMap((part) => {
    if (part.joined) return [{ text: part.text, spelled: false }];
    const pieces: { text: string; spelled: boolean }[] = [];
    for (const character of part.text) {
      const spelled = character !== HARMLESS && (isUnsafe(character) || further.test(character));
      const last = pieces.at(-1);
      if (last !== undefined && !last.spelled && !spelled) last.text += character;
      else pieces.push({ text: spelled ? spell(character) : character, spelled });
    }
    return pieces;
  });
}

function isUnsafe(character: string): boolean {
  return character.search(UNSAFE) !== -1;
}

/**
 * Splits a text into emoji of several characters and the rest. Only those emoji that Unicode recommends for general use are kept (families, flags,
 * skin tones). Elsewhere their joiners and tags count as unsafe.
 */
function splitJoined(text: string): { readonly text: string; readonly joined: boolean }[] {
  if (!JOINERS.test(text)) return text === '' ? [] : [{ text, joined: false }];
  const parts: { text: string; joined: boolean }[] = [];
  let end = 0;
  // Created here and not above, because compiling the expression takes milliseconds and few texts need it.
  for (const { 0: emoji, index } of text.matchAll(/\p{RGI_Emoji}/gv)) {
    if (!JOINERS.test(emoji)) continue;
    parts.push({ text: text.slice(end, index), joined: false }, { text: emoji, joined: true });
    end = index + emoji.length;
  }
  parts.push({ text: text.slice(end), joined: false });
  return parts.filter((part) => part.text !== '');
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

/** The same for JSON text; the result is JSON with the same value. */
export function escapeJsonForTerminal(json: string): string {
  return json.replace(UNSAFE, (character) => {
    if (character === HARMLESS || character === '\n') return character;
    return Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}
