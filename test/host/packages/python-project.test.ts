import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uv } from '../../../src/host/packages/python-project.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fluffy-uv-'));
  mkdirSync(join(home, '.config/uv'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const settingsWith = async (config: string | null, more: Readonly<Record<string, string>> = {}) => {
  if (config !== null) writeFileSync(join(home, '.config/uv/uv.toml'), config);
  const pip = { PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: 'https://pip.example/simple' };
  const { grant, hosts } = await uv.settings({ PATH: process.env['PATH'], HOME: home, ...pip, ...more });
  const others = grant.settings.map((each) => each.replace(/^extra-index-url=/, ''));
  return { indexes: [grant.registry, ...others], hosts: hosts.map(({ host }) => host) };
};

describe("the user's configuration of uv", () => {
  it.each<[string, string | null, Readonly<Record<string, string>>, readonly string[]]>([
    ['one index', 'index-url = "https://one.example/s"', {}, ['https://one.example/s']],
    [
      'an index with a name, and another',
      '[[index]]\nurl = "https://two.example/s"\n[[index]]\nname = "own"\nurl = "https://one.example/s"\ndefault = true\n',
      {},
      ['https://one.example/s', 'https://two.example/s'],
    ],
    [
      'variables, which win',
      'index-url = "https://one.example/s"',
      { UV_DEFAULT_INDEX: 'https://three.example/s', UV_INDEX: 'own=https://four.example/s' },
      ['https://three.example/s', 'https://four.example/s'],
    ],
    ['nothing, so that pip’s counts', null, {}, ['https://pip.example/simple']],
  ])('names %s', async (_what, config, more, indexes) => {
    const read = await settingsWith(config, more);
    expect(read.indexes).toEqual(indexes);
    expect(read.hosts).toEqual(indexes.map((url) => new URL(url).hostname));
  });

  it('that cannot be read is a reason to reach nothing', async () => {
    await expect(settingsWith('index-url = ')).rejects.toThrow(/uv\.toml cannot be read/);
  });
});
