/** Rows of the tables under a `## heading`, each row its cells; header and ruler left out. Throws when there is none. */
export function tableUnder(markdown: string, heading: string): readonly (readonly string[])[] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no section ${heading}`);
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
  const ruler = rows.findIndex((cells) => cells.every((cell) => /^-+$/.test(cell)));
  if (ruler === -1) throw new Error(`there is no table under ${heading}`);
  return rows.slice(ruler + 1);
}

/** A cell that is one piece of code, without its backticks. */
export function codeIn(cell: string | undefined): string {
  const code = /^`([^`]+)`$/.exec(cell ?? '')?.[1];
  if (code === undefined) throw new Error(`${cell ?? 'a missing cell'} is not one piece of code`);
  return code;
}
