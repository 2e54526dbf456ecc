import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { CASES } from './php-files.ts';

const parse = syntaxParser(() => 0);

describe('a change of PHP', () => {
  it.each(CASES)('$what: $kind', async ({ kind, files }) => {
    const isTest = (path: string): boolean => path.startsWith('tests/');
    const found = await inspectChange(files, parse, { reported: [], isTest, isCode: () => true, unread: [] });
    const kinds = found.map((each) => each.kind);
    if (kind === null) expect(found).toEqual([]);
    else expect(kinds, JSON.stringify(found)).toContain(kind);
  });
});
