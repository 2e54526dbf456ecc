import { describe, expect, it } from 'vitest';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { fileAddress } from '../../../src/tui/text/file-address.ts';
import { linkedFiles } from '../../../src/tui/text/linked-files.ts';
import { own } from '../../../src/tui/text/span.ts';

const PLACE = { root: '/home/ada/shop', host: 'box', hasFile: (path: string) => path !== 'src/absent.js' };
const linking = { place: PLACE, width: 200, bare: false };
const links = (text: string, more: Partial<typeof linking> = {}) =>
  linkedFiles([[own(text)]], { ...linking, ...more })[0]?.flatMap(({ text: shown, link }) =>
    link === undefined ? [] : [[shown, link]],
  );

describe('the address of a file', () => {
  it.each([
    ['src/a.js', undefined, 'file://box/home/ada/shop/src/a.js'],
    ['./src/a.js', '10', 'file://box/home/ada/shop/src/a.js#10'],
    ['/home/ada/shop/src/a.js', '7', 'file://box/home/ada/shop/src/a.js#7'],
    ['a b/%41#?.js', undefined, 'file://box/home/ada/shop/a%20b/%2541%23%3F.js'],
    ['grün/日.ts', undefined, 'file://box/home/ada/shop/gr%C3%BCn/%E6%97%A5.ts'],
    ['a\u001b]8;;x\u0007\u009c\n.js', undefined, 'file://box/home/ada/shop/a%1B%5D8%3B%3Bx%07%C2%9C%0A.js'],
    ['\ud800.js', undefined, 'file://box/home/ada/shop/%EF%BF%BD.js'],
  ])('%j', (path, line, address) => {
    expect(fileAddress(PLACE, path, line)).toBe(address);
  });

  it.each([
    '../a.js',
    'a/../../b.js',
    '/etc/passwd',
    '/home/ada/shop',
    '/home/ada/shopping/a.js',
    '',
    'a//b.js',
    'x'.repeat(3000),
    'src/absent.js',
    '/home/ada/shop/src/absent.js',
  ])('none of %j: it is no file of the project, or too long', (path) => {
    expect(fileAddress(PLACE, path)).toBeUndefined();
  });
});

describe('files in a row', () => {
  const at = (path: string) => `file://box/home/ada/shop/${path}`;

  it.each<[string, [string, string][]]>([
    [
      'at src/a.js:10:3 and (test/b.test.ts:4)',
      [
        ['src/a.js:10:3', at('src/a.js#10')],
        ['test/b.test.ts:4', at('test/b.test.ts#4')],
      ],
    ],
    [
      'see "src/a.js", then a.js:7.',
      [
        ['src/a.js', at('src/a.js')],
        ['a.js:7', at('a.js#7')],
      ],
    ],
    ['/home/ada/shop/lib/x.py:3: error', [['/home/ada/shop/lib/x.py:3', at('lib/x.py#3')]]],
    ['./a.go:1', [['./a.go:1', at('a.go#1')]]],
    ['grün/ä.ts:2', [['grün/ä.ts:2', at('gr%C3%BCn/%C3%A4.ts#2')]]],
    ['Node.js and vue.js are names', []],
    ['https://example.com/a.js:3 node:internal/x.js:2 C:\\a.js:1 ../up/a.js:1 ~/a.js:1 /etc/b.txt:1', []],
    ['run.sh:1 page.html:2 app.desktop:3 x.command:1 a.js.exe:1', []],
    ['12:30:45 1.5:3 v1.2.3:4', []],
  ])('%s', (text, found) => {
    expect(links(text)).toEqual(found);
  });

  it('a name alone is a file in the line of a call', () => {
    expect(links('config.js', { bare: true })).toEqual([['config.js', at('config.js')]]);
  });

  it('the text of all spans is what it was, and spans that have a link keep it', () => {
    const linked = { ...own('src/a.js:1'), link: 'https://example.com/' as never };
    const rows = [[own('  '), own('in src/a.js:10 and src/b.js', 'dim'), linked]];
    const [row = []] = linkedFiles(rows, linking);
    expect(row.map(({ text }) => text).join('')).toBe('  in src/a.js:10 and src/b.jssrc/a.js:1');
    expect(row.at(-1)).toEqual(linked);
    expect(row.filter(({ link }) => link !== undefined)).toHaveLength(3);
  });

  it('a path that a row has only a part of gets no link', () => {
    const rows = [[own('    '), own('a/long/path/to/fo')], [own('    '), own('o.js:3 b/b.js:1')], [own('src/c.js:1')]];
    const found = linkedFiles(rows, { ...linking, width: 21 });
    expect(found.flat().flatMap(({ text, link }) => (link === undefined ? [] : [text]))).toEqual([
      'b/b.js:1',
      'src/c.js:1',
    ]);
    expect(
      linkedFiles(rows, { ...linking, width: 60 })
        .flat()
        .filter(({ link }) => link !== undefined),
    ).toHaveLength(3);
  });

  it('nothing that a text says is in an address but in printable ASCII', () => {
    const hostile = `src/${'\u202e'}a.js:1 src/a${'\u0007'}.js:2 a]8;;b/c.js:3 src/é\u0301.js:4`;
    for (const text of [hostile, safeLine(hostile)])
      for (const [, link = ''] of links(text) ?? []) expect(link).toMatch(/^file:\/\/box\/home\/ada\/shop\/[!-~]+$/);
  });
});
