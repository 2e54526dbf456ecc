import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../../src/platform/syntax/syntax-parser.ts';
import { HIDDEN, WRITTEN } from './computed-loads.ts';
import type { Load } from './computed-loads.ts';

const parse = syntaxParser(() => 0);
const FACTS = {
  reported: [],
  isTest: (path: string) => /(?:^|\/)tests?\//.test(path),
  isCode: () => true,
  unread: [],
};
const KINDS = new Set(['computed-load', 'loads-tests']);

async function found({ path, text }: Load, before: string | null = null) {
  const findings = await inspectChange([{ path, role: 'source', before, after: text }], parse, FACTS);
  return findings.filter(({ kind }) => KINDS.has(kind));
}

describe('a source that loads a file of the tests, or any file, has a finding', () => {
  it.each(HIDDEN)('$path: $what', async (load) => {
    expect((await found(load)).length).toBeGreaterThan(0);
  });

  it.each(HIDDEN)('$path: $what, not if it was so before', async (load) => {
    expect(await found(load, load.text)).toEqual([]);
  });
});

describe('a path that is written out, is a parameter, or is found in a directory is no computed load', () => {
  it.each(WRITTEN)('$path: $what', async (load) => {
    expect(await found(load)).toEqual([]);
  });
});
