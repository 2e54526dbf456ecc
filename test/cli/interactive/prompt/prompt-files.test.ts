import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from '../../../../src/cli/interactive/prompt/list-files.ts';
import { keepInHistory, readHistory } from '../../../../src/cli/interactive/prompt/prompt-history.ts';

let host: string;
beforeEach(() => {
  host = mkdtempSync(join(tmpdir(), 'fluffy-prompt-test-'));
});
afterEach(() => rmSync(host, { recursive: true, force: true }));

describe('what was sent', () => {
  it('is there in the next session, readable by its owner alone, without lines that are not ours', async () => {
    await keepInHistory({ host }, 'two\nlines');
    await keepInHistory({ host }, 'x'.repeat(30_000));
    const file = join(host, 'prompt-history.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"half":\n[1]\n"after"\n`);
    expect(await readHistory({ host })).toEqual(['two\nlines', 'after']);
  });

  it('is bounded, also as a file', async () => {
    const file = join(host, 'prompt-history.jsonl');
    writeFileSync(file, Array.from({ length: 1500 }, (_, index) => `"t${index}"\n`).join(''));
    expect(await readHistory({ host })).toHaveLength(500);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(501);
  });
});

describe('the files of a project', () => {
  it('are those that .gitignore leaves, and nothing of .git', async () => {
    mkdirSync(join(host, '.git'));
    mkdirSync(join(host, 'src'));
    for (const [name, text] of [
      ['.gitignore', 'out\n'],
      ['.ignore', 'src\n'],
      ['out', ''],
      ['src/a.js', ''],
      ['.git/HEAD', ''],
    ] as const)
      writeFileSync(join(host, name), text);
    expect(await listFiles(host)).toEqual(['.gitignore', '.ignore', 'src/a.js']);
  });
});
