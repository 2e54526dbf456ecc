/**
 * Matches a line that a person would take for a Fluffy trailer, after invisible characters are removed, other dashes, colons and widths are
 * normalised, and look-alike letters count as one: `F` and Greek digamma, `l` and `I`, `u` and upsilon, `y` and Cyrillic u.
 */
const LOOKS_OWN =
  /^\s*[f\u03dd\u0192\u0493][l1i|\u0456\u04cf\u0131][u\u03c5\u057d\u1d1c][f\u03dd\u0192\u0493]{2}[y\u0443\u04af\u03b3\u028f]-[^\s:]*\s*:/iu;

/**
 * Whether a line of a commit message looks like a `Fluffy-` trailer. The writer of a message removes such lines and the verifier refuses them. Both
 * use this function, so that no verifier refuses an honest commit. Pure.
 */
export function looksLikeOwnTrailer(line: string): boolean {
  return LOOKS_OWN.test(plain(line));
}

function plain(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .replace(/[\p{Pd}\u2212\u02d7]/gu, '-')
    .replace(/[\u02d0\u0589\u05c3\u2236\ua789]/gu, ':');
}
