/**
 * The text of a file, written where the code around it is indented: without the first line break and the common indentation, and with escapes as they stand. Only
 * a backtick and `${` need a backslash.
 */
export function fileText(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const text = String.raw(strings, ...values)
    .replaceAll('\\`', '`')
    .replaceAll('\\${', '${')
    .replace(/^\n/, '')
    .replace(/ *$/, '');
  const indents = text.match(/^ *(?=\S)/gm) ?? [];
  const common = Math.min(...indents.map(({ length }) => length));
  return text.replaceAll(new RegExp(`^ {${common}}`, 'gm'), '');
}
