import { readFileSync } from 'node:fs';
import type { RealProject } from './real-project.ts';

/** Part of what PHPUnit itself is made of, under a name of its own. */
const published = (name: string): string =>
  readFileSync(`/usr/share/php/SebastianBergmann/Template/${name}`, 'utf8').replaceAll(
    'SebastianBergmann\\',
    'Example\\',
  );

const EXCEPTIONS = ['Exception', 'InvalidArgumentException', 'RuntimeException'];
const source = (name: string): [string, string] => [`src/${name}`, published(name)];

export const phpunitProject: RealProject = {
  runner: 'phpunit',
  name: 'text-template: a value that looks like a variable is replaced too',
  files: () => ({
    ...Object.fromEntries(['Template.php', ...EXCEPTIONS.map((name) => `exceptions/${name}.php`)].map(source)),
    'composer.json': '{"name": "example/text-template", "require-dev": {"phpunit/phpunit": "^9.6"}}\n',
    'phpunit.xml': `<?xml version="1.0"?>
<phpunit bootstrap="tests/bootstrap.php">
  <testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites>
</phpunit>
`,
    'tests/bootstrap.php': `<?php
spl_autoload_register(function (string $class): void {
    foreach (['', '/exceptions'] as $directory) {
        $file = __DIR__ . '/../src' . $directory . '/' . basename(str_replace('\\\\', '/', $class)) . '.php';
        if (is_file($file)) {
            require_once $file;
        }
    }
});
`,
    'tests/fixtures/greeting.txt': '{first}, {second}!',
    'tests/TemplateTest.php': `<?php
use Example\\Template\\InvalidArgumentException;
use Example\\Template\\Template;
use PHPUnit\\Framework\\TestCase;

final class TemplateTest extends TestCase
{
    public function testReplaces(): void
    {
        $template = new Template(__DIR__ . '/fixtures/greeting.txt');
        $template->setVar(['first' => 'Hello', 'second' => 'world']);
        $this->assertSame('Hello, world!', $template->render());
    }

    public function testWithoutFile(): void
    {
        $this->expectException(InvalidArgumentException::class);
        new Template(__DIR__ . '/fixtures/none.txt');
    }
}
`,
  }),
  test: {
    path: 'tests/ValueTest.php',
    content: `<?php
use Example\\Template\\Template;
use PHPUnit\\Framework\\TestCase;

final class ValueTest extends TestCase
{
    /**
     * @dataProvider values
     */
    public function testIsKeptAsItIs(string $first, string $second, string $expected): void
    {
        $template = new Template(__DIR__ . '/fixtures/greeting.txt');
        $template->setVar(['first' => $first, 'second' => $second]);
        $this->assertSame($expected, $template->render());
    }

    public function values(): array
    {
        return [
            'a variable' => ['{second}', 'world', '{second}, world!'],
            'itself' => ['{first}', 'you', '{first}, you!'],
        ];
    }
}
`,
  },
  fix: {
    path: 'src/Template.php',
    old_string: `        $keys = [];

        foreach ($this->values as $key => $value) {
            $keys[] = $this->openDelimiter . $key . $this->closeDelimiter;
        }

        return str_replace($keys, $this->values, $this->template);`,
    new_string: `        $pairs = [];

        foreach ($this->values as $key => $value) {
            $pairs[$this->openDelimiter . $key . $this->closeDelimiter] = $value;
        }

        return strtr($this->template, $pairs);`,
  },
  forHuman: [],
  cases: ['ValueTest > testIsKeptAsItIs with data set "a variable"'],
};
