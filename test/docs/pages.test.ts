import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/contracts/exit-codes.ts';
import { RUNNERS } from '../../src/kernel/runners/registry.ts';
import { REPOSITORY } from '../support/source/source-files.ts';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const docs = readdirSync(join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', 'AGENTS.md', 'CHANGELOG.md', ...docs];

test.each(pages)('%s links only to what is there', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
  const broken = links.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(REPOSITORY, file))) return true;
    return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
  });
  expect(broken).toEqual([]);
});

function anchorsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('README.md', () => {
  const text = read('README.md');

  test('has every exit code', () => {
    const table = text.split('| exit | meaning |')[1]?.split('\n\n')[0] ?? '';
    const codes = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell]) => (cell ?? '').split(', ').map(Number));
    expect(codes).toEqual(Object.values(EXIT));
  });

  test('names the test runners of the registry', () => {
    const named = /\*\*Test runners.\*\* ([^.]+) are supported\./.exec(text)?.[1] ?? '';
    expect([...named.matchAll(/`([a-z-]+)`/g)].map(([, runner]) => runner)).toEqual(RUNNERS.map(({ name }) => name));
  });
});

test('every test that docs/security.md rests a promise on is there', () => {
  const named = [...read('docs/security.md').matchAll(/`([\w/-]+\.test\.tsx?)`/g)].map(([, path]) => path ?? '');
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(REPOSITORY, 'test', path)))).toEqual([]);
});

test('every attack test is named in docs/security.md', () => {
  const page = read('docs/security.md');
  const attacks = readdirSync(join(REPOSITORY, 'test/attacks')).filter((name) => /\.test\.tsx?$/.test(name));
  expect(attacks.filter((name) => !page.includes(`attacks/${name}`))).toEqual([]);
});

describe('AGENTS.md', () => {
  const text = read('AGENTS.md');

  test('stays under 150 lines', () => {
    expect(text.split('\n').length).toBeLessThan(150);
  });

  test('names files and scripts that are there', () => {
    const files = [...text.matchAll(/`((?:src|bin|test|docs|tool-plugins|sandbox-images)\/[\w./-]+)`/g)];
    expect(files.length).toBeGreaterThan(15);
    const missing = files
      .map(([, path]) => path ?? '')
      .filter((path) => !path.includes('NAME') && !existsSync(join(REPOSITORY, path)));
    expect(missing).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    for (const [, script] of text.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(script);
  });
});
