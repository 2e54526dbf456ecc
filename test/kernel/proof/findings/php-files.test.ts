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

describe('a case of PHP that a base class has', () => {
  const php = (text: string): string => `<?php\nuse PHPUnit\\Framework\\TestCase;\n\n${text}`;
  const base = php(
    'abstract class ShapeCase extends TestCase\n{\n    public function testArea(): void\n    {\n        $this->assertSame($this->area(), $this->shape()->area());\n    }\n}\n',
  );
  const after = php(
    'final class BoxTest extends ShapeCase\n{\n    protected function area(): int { return 12; }\n    protected function shape(): object { return new Box(3, 4); }\n}\n',
  );
  const kinds = async (helpers: readonly { readonly path: string; readonly text: string }[]) => {
    const path = 'tests/BoxTest.php';
    const found = await inspectChange([{ path, role: 'test', before: null, after }], parse, {
      reported: [{ file: path, name: 'BoxTest > testArea' }],
      isTest: () => true,
      isCode: () => true,
      unread: [],
      helpers,
    });
    return found.map(({ kind }) => kind);
  };

  it('is examined there', async () => {
    expect(await kinds([{ path: 'tests/ShapeCase.php', text: base }])).toEqual([]);
  });

  it.each([
    ['no test file', []],
    ['another class', [{ path: 'tests/ShapeCase.php', text: base.replace('ShapeCase', 'FormCase') }]],
    [
      'a base class of its own elsewhere',
      [{ path: 'tests/ShapeCase.php', text: base.replace('extends TestCase', 'extends Acme') }],
    ],
    ['a trait', [{ path: 'tests/ShapeCase.php', text: base.replace('{\n', '{\n    use Quiet;\n') }]],
  ])('cannot be examined with %s', async (_, helpers) => {
    expect(await kinds(helpers)).toContain('not-examined');
  });
});
