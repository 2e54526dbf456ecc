import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import type { ChangedText, HelperText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

const PATH = 'tests/BoxTest.php';
const GOOD = '$this->assertSame($this->area(), $this->shape()->area());';
const NOTHING = '$this->addToAssertionCount(1);';

const php = (text: string, namespace = ''): string =>
  `<?php\n${namespace === '' ? '' : `namespace ${namespace};\n`}use PHPUnit\\Framework\\TestCase;\n\n${text}\n`;
const base = (body: string, namespace = '', more = ''): string =>
  php(
    `abstract class ShapeCase extends TestCase\n{\n    public function testArea(): void\n    {\n        ${body}\n    }\n${more}}`,
    namespace,
  );
const heir = (head: string, more = ''): string =>
  php(`${head}\n{\n    protected function area(): int { return 12; }\n${more}}`);
const BOX = heir('final class BoxTest extends ShapeCase');
const beside = (text: string, path = 'tests/ShapeCase.php'): HelperText => ({ path, text });
const changed = (after: string, before: string | null = null, path = PATH): ChangedText => ({
  path,
  role: 'test',
  before,
  after,
});

async function findings(
  files: readonly ChangedText[],
  helpers: readonly HelperText[],
  reported = ['BoxTest > testArea'],
) {
  const found = await inspectChange(files, parse, {
    reported: reported.map((name) => ({ file: PATH, name })),
    isTest: () => true,
    isCode: () => true,
    unread: [],
    helpers,
  });
  return found.map(({ kind, path }) => `${kind} ${path}`);
}

describe('the body of an inherited case of PHP', () => {
  it.each([
    ['asserts well', GOOD, []],
    ['asserts nothing', NOTHING, [`no-assertion ${PATH}`]],
    ['asserts constants', '$this->assertSame(12, 12);', [`constant-assertion ${PATH}`]],
    ['asserts in a branch', `if ($this->area() > 20) { ${GOOD} }`, [`conditional-assertion ${PATH}`]],
    ['catches its assertion', `try { ${GOOD} } catch (\\Throwable $e) {}`, [`swallowed-assertion ${PATH}`]],
    ['is switched off', `$this->markTestSkipped(); ${GOOD}`, [`case-switched-off ${PATH}`]],
  ])('in an unchanged base %s', async (_, body, expected) => {
    expect(await findings([changed(BOX)], [beside(base(body))])).toEqual(expected);
  });

  it('is examined in the base of a base', async () => {
    const middle = beside(php('abstract class FlatCase extends ShapeCase\n{\n}'), 'tests/FlatCase.php');
    const files = [changed(heir('final class BoxTest extends FlatCase'))];
    expect(await findings(files, [middle, beside(base(NOTHING))])).toEqual([`no-assertion ${PATH}`]);
    expect(await findings(files, [middle, beside(base(GOOD))])).toEqual([]);
  });

  it('is examined once in a base that is new', async () => {
    const files = [changed(BOX), changed(base(NOTHING), null, 'tests/ShapeCase.php')];
    expect(await findings(files, [])).toEqual(['no-assertion tests/ShapeCase.php']);
  });

  it('is examined in a changed base whose case is as it was', async () => {
    const now = base(NOTHING, '', '    protected function unit(): string { return "m"; }\n');
    const files = [changed(BOX), changed(now, base(NOTHING), 'tests/ShapeCase.php')];
    expect(await findings(files, [])).toEqual([`no-assertion ${PATH}`]);
  });

  it('is examined if an old class gets another base with a case of the same name', async () => {
    const files = [changed(BOX, BOX.replace('ShapeCase', 'FormCase'))];
    expect(await findings(files, [beside(base(NOTHING))], [])).toEqual([`no-assertion ${PATH}`]);
  });

  it('is not examined for an old class whose cases are not new', async () => {
    const files = [changed(BOX.replace('12', '13'), BOX)];
    expect(await findings(files, [beside(base(NOTHING))], [])).toEqual([]);
  });

  it('does not count where the class has its own', async () => {
    const own = '    public function testArea(): void { $this->assertSame(12, (new Box(3, 4))->area()); }\n';
    const files = [changed(heir('final class BoxTest extends ShapeCase', own))];
    expect(await findings(files, [beside(base(NOTHING))])).toEqual([]);
  });

  it('is examined only for the class that has it as a new case', async () => {
    const lid = heir('final class LidTest extends FlatCase').replace(/^<\?php\nuse .*\n/, '');
    const before = `${BOX.replace('ShapeCase', 'OldCase')}${lid}`;
    const flat = beside(base(NOTHING).replace('ShapeCase', 'FlatCase'), 'tests/FlatCase.php');
    const files = [changed(`${BOX}${lid}`, before)];
    expect(await findings(files, [beside(base(GOOD)), flat])).toEqual([]);
    expect(await findings(files, [beside(base(GOOD)), flat], ['LidTest > testArea'])).toEqual([`no-assertion ${PATH}`]);
  });

  it('is examined for each class of the file', async () => {
    const own =
      'final class LidTest extends TestCase { public function testArea(): void { $this->assertSame(1, (new Lid())->area()); } }';
    expect(await findings([changed(`${BOX}${own}\n`)], [beside(base(NOTHING))])).toEqual([`no-assertion ${PATH}`]);
  });

  it.each([
    [
      'replaces a method by which the base asserts',
      changed(heir('final class BoxTest extends ShapeCase', '    protected function CHECK(): void {}\n')),
      base('$this->check();', '', `    protected function check(): void { ${GOOD} }\n`),
    ],
    [
      'is marked as one that does not run',
      changed(heir("#[\\PHPUnit\\Framework\\Attributes\\Group('slow')]\nfinal class BoxTest extends ShapeCase")),
      base(GOOD),
    ],
    ['extends a class that extends it', changed(BOX), php('abstract class ShapeCase extends BoxTest\n{\n}')],
    ['extends a class that is none of PHPUnit', changed(BOX), base(GOOD).replace(' extends TestCase', '')],
    [
      'takes code from a trait',
      changed(heir('final class BoxTest extends ShapeCase', '    use Quiet;\n'), 'use Quiet;'),
      base(GOOD),
    ],
  ])('is not examined if the class %s', async (_, file, text) => {
    expect(new Set(await findings([file], [beside(text)]))).toEqual(new Set([`not-examined ${PATH}`]));
  });
});

describe('the base class of a case of PHP', () => {
  const inA = beside(base(GOOD, 'A'), 'tests/A/ShapeCase.php');
  const inB = beside(base(NOTHING, 'B'), 'tests/B/ShapeCase.php');
  const HEIR = 'final class BoxTest extends ';

  it.each<[string, string, readonly HelperText[], string[]]>([
    ['by a use statement', `use A\\ShapeCase;\n${HEIR}ShapeCase`, [inB, inA], []],
    ['by a use statement', `use B\\ShapeCase;\n${HEIR}ShapeCase`, [inA, inB], ['no-assertion']],
    ['by a use statement with another name', `use B\\ShapeCase as Form;\n${HEIR}Form`, [inA, inB], ['no-assertion']],
    ['by a use statement of a group', `use B\\{Box, ShapeCase};\n${HEIR}ShapeCase`, [inA, inB], ['no-assertion']],
    ['by a use statement of its namespace', `use B as Forms;\n${HEIR}Forms\\ShapeCase`, [inA, inB], ['no-assertion']],
    ['by its full name', `${HEIR}\\B\\ShapeCase`, [inA, inB], ['no-assertion']],
    ['by its full name', `${HEIR}\\A\\ShapeCase`, [inB, inA], []],
  ])('is found %s: %s', async (_, head, helpers, expected) => {
    const kinds = (await findings([changed(heir(head))], helpers)).map((each) => each.split(' ')[0]);
    expect(kinds).toEqual(expected);
  });

  it('is found by the namespace of the file', async () => {
    const file = changed(heir('final class BoxTest extends ShapeCase').replace('<?php\n', '<?php\nnamespace B;\n'));
    expect(await findings([file], [inA, inB])).toEqual([`no-assertion ${PATH}`]);
  });

  it('is not known if a changed source has it', async () => {
    const source: ChangedText = { path: 'src/ShapeCase.php', role: 'source', before: null, after: base(GOOD) };
    expect(await findings([changed(BOX), source], [])).toContain(`not-examined ${PATH}`);
  });

  it.each<[string, string, readonly HelperText[]]>([
    ['is in another namespace', `use B\\ShapeCase;\n${HEIR}ShapeCase`, [inA]],
    ['is in a namespace, and the name is not', `${HEIR}ShapeCase`, [inA]],
    ['has the name of a function', `use function A\\ShapeCase;\n${HEIR}ShapeCase`, [inA]],
    ['is there twice', `${HEIR}\\A\\ShapeCase`, [inA, beside(base(NOTHING, 'A'), 'tests/old/ShapeCase.php')]],
    [
      'is in a file of two namespaces',
      `${HEIR}\\A\\ShapeCase`,
      [beside(`${base(GOOD, 'A')}namespace B;\nclass Other {}\n`, 'tests/A/ShapeCase.php')],
    ],
  ])('is not known if it %s', async (_, head, helpers) => {
    expect(await findings([changed(heir(head))], helpers)).toContain(`not-examined ${PATH}`);
  });
});
