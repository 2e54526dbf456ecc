import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../support/source/source-files.ts';
import { tableUnder } from '../support/source/markdown-tables.ts';

const FOLDER = join(REPOSITORY, 'docs/decisions');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const pages = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .sort();

test('every page has a number of its own, and a title and status where they are looked for', () => {
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name))).toEqual([]);
  const numbers = pages.map((name) => name.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  for (const name of pages) {
    expect(read(name), name).toMatch(new RegExp(`^# ${name.slice(0, 4)}: .+\n\n\\*\\*Status:\\*\\* .+\n`));
  }
});

test('the index lists each of them with its title and status, in order', () => {
  const expected = pages.map((name) => {
    const [, title, status] = /^# \d{4}: (.+)\n\n\*\*Status:\*\* (.+)\n/.exec(read(name)) ?? [];
    return [name.slice(0, 4), `[${title ?? ''}](${name})`, status];
  });
  // The index is the page's only table and stands before any heading but its title.
  const index = read('README.md').replace(/^# /, '## ');
  expect(tableUnder(index, 'Decisions')).toEqual(expected);
});
