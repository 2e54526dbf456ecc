import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pip } from '../../../src/host/packages/pip.ts';
import { pythonText } from '../../../src/host/packages/python-text.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fluffy-pip-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const settingsWith = (config: string, more: Readonly<Record<string, string>> = {}) => {
  writeFileSync(join(home, 'pip.conf'), config);
  return pip.settings({ PATH: process.env['PATH'], HOME: home, PIP_CONFIG_FILE: join(home, 'pip.conf'), ...more });
};

describe("the user's configuration of pip", () => {
  it('names the indexes, and no other host is opened', async () => {
    const config =
      '[global]\nindex-url = http://one.example/simple\nextra-index-url =\n  https://two.example:8443/a\n  https://three.example/b\n';
    const { grant, hosts } = await settingsWith(config);
    expect(grant.registry).toBe('http://one.example/simple');
    expect(grant.settings).toEqual([
      'extra-index-url=https://two.example:8443/a',
      'extra-index-url=https://three.example/b',
    ]);
    expect(hosts.map(({ host, port }) => `${host}:${port}`)).toEqual([
      'one.example:80',
      'two.example:8443',
      'three.example:443',
    ]);
  });

  it('is followed by what is for installing, and by variables', async () => {
    const config = '[global]\nindex-url = https://one.example/\n[install]\nindex-url = https://two.example/\n';
    expect((await settingsWith(config)).grant.registry).toBe('https://two.example/');
    const named = { PIP_INDEX_URL: 'https://three.example/' };
    expect((await settingsWith(config, named)).grant.registry).toBe('https://three.example/');
  });

  it('opens the files of the default index beside it where it names none', async () => {
    const { hosts } = await settingsWith('');
    expect(hosts).toHaveLength(2);
    expect(hosts.map(({ port }) => port)).toEqual([443, 443]);
  });

  it.each([
    ['a password in an address', 'https://ada:secret@one.example/simple', 'contains a password'],
    ['a directory', 'file:///wheels', 'not an http or https address'],
  ])('is refused with %s', async (_what, url, why) => {
    await expect(settingsWith(`[global]\nindex-url = ${url}\n`)).rejects.toThrow(why);
  });
});

it.each([
  ["'plain'", 'plain'],
  ['"it\'s"', "it's"],
  [String.raw`'one\ntwo'`, 'one\ntwo'],
  [String.raw`'back\\slash'`, String.raw`back\slash`],
  ['plain', null],
  ["'a' + 'b'", null],
])('Python prints %s for %j', (printed, text) => {
  expect(pythonText(printed)).toBe(text);
});
