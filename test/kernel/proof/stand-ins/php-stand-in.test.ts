import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withPhpType } from '../../../../src/kernel/proof/stand-ins/php-stand-in.ts';
import { phpToolchain } from '../../../support/php-toolchain.ts';

const php = await phpToolchain();

/** What PHP prints of the text with a stand-in for what the message says is missing. */
function printed(text: string, message: string): string {
  const { stdout, stderr } = spawnSync(join(php?.forTests.path[0] ?? '', 'php'), {
    input: withPhpType(text, message) ?? 'none',
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.trim();
}

describe.skipIf(php === null)('a stand-in of a PHP type', () => {
  it.each([
    ['an interface', 'Interface', '<?php\nclass Fake implements F {}\necho get_class(new Fake());', 'Fake'],
    [
      'a class',
      'Class',
      '<?php\nclass Fake extends F {}\ntry { (new Fake(1))->send(); } catch (Error $e) { echo $e->getMessage(); }',
      'F is not written yet',
    ],
    ['a trait', 'Trait', '<?php\nclass Fake { use F; }\necho get_class(new Fake());', 'Fake'],
    [
      'one in a namespace',
      'Interface',
      '<?php\n\n// Of the fake.\ndeclare(strict_types=1);\n\nnamespace App\\Tests;\n\nuse App\\F;\n\nclass Fake implements F {}\necho Fake::class, __LINE__;',
      'App\\Tests\\Fake11',
      'App\\F',
    ],
  ])('lets a test load that makes a class of %s', (_, kind, text, expected, name = 'F') => {
    expect(printed(text, `${kind} "${name}" not found`)).toBe(expected);
  });

  it('is null for a name that is not a type, or a text that is not PHP', () => {
    expect(withPhpType('<?php\n', 'Call to undefined function f()')).toBeNull();
    expect(withPhpType('none', 'Class "F" not found')).toBeNull();
  });
});
