import { describe, expect, it } from 'vitest';
import { fileQuery, fittingFiles } from '../../../src/tui/files/fitting-files.ts';

describe('a file behind an @', () => {
  it.each([
    ['@', 1, { at: 0, query: '' }],
    ['see @src/a and', 10, { at: 4, query: 'src/a' }],
    ['ada@example.org', 15, null],
    ['@a b', 4, null],
  ] as const)('in %j at %i', (text, cursor, found) => {
    expect(fileQuery(text, cursor)).toEqual(found);
  });

  it('is found by letters in their order, in a project of 100,000 files', () => {
    const paths = Array.from({ length: 100_000 }, (_, index) => `packages/p${index % 100}/src/module-${index}.ts`);
    expect(fittingFiles([...paths, 'docs/security.md'], 'dsec', 6)[0]).toBe('docs/security.md');
    expect(fittingFiles(paths, '', 6)).toHaveLength(6);
  });
});
