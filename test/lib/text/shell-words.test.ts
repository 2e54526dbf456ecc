import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWords } from '../../../src/lib/text/shell-words.ts';

it('writes words that a shell reads as they are', () => {
  const words = ['plain/word.ts', 'two words', "it's", '$(id) `id` $HOME', 'a"b', 'line\nline', '*', '', '~', '#'];
  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${shellWords(words)}`], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual(words);
});
