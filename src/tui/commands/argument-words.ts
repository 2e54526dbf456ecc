/** The words after a command; a quoted word may contain blanks. Pure. */
export function argumentWords(argument: string): readonly string[] {
  const words = argument.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}
