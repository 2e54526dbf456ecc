/** The words behind a command; one in quotes may have blanks. Pure. */
export function argumentWords(argument: string): readonly string[] {
  const words = argument.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}
