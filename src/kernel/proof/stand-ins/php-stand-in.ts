const IMPORTED = /^use\s+(function\s+)?\\?([\w\\]+)(?:\s+as\s+\w+)?;/gm;
const NAMED = /\bnew\s+\\?([A-Z][\w\\]*)|(?<![\w\\$>:])\\?([A-Z][\w\\]*)::/g;
const NOT_OF_PROJECT =
  /^(?:PHPUnit|SebastianBergmann|Throwable|\w*(?:Exception|Error)|DateTime\w*|Array\w+|ArrayObject|TestCase|Self|Static|Parent|Global)(?:$|\\)/;

/** A source of which nothing can be asked that these tests name. What it throws is none of the errors that a test would expect. */
export function phpStandIn(tests: string): string {
  const imported = [...tests.matchAll(IMPORTED)].map(([, kind, name = '']) => ({
    name,
    isFunction: kind !== undefined,
  }));
  const last = new Set(imported.map(({ name }) => name.split('\\').at(-1)));
  const named = [...tests.matchAll(NAMED)].map(([, created, asked]) => created ?? asked ?? '');
  const classes = [
    ...imported.flatMap(({ name, isFunction }) => (isFunction ? [] : [name])),
    ...named.filter((name) => !last.has(name)),
  ].filter((name) => !NOT_OF_PROJECT.test(name));
  const functions = imported.flatMap(({ name, isFunction }) => (isFunction ? [name] : []));
  const raise = (name: string): string => `throw new \\NotWritten('${name} is not written yet');`;
  const parts = [
    `namespace { if (!class_exists('NotWritten', false)) { class NotWritten extends Error {} } }`,
    ...[...new Set(classes)].map((name) => {
      const { space, own } = placeOf(name);
      return `namespace ${space} { if (!class_exists('${name}')) { class ${own} { public function __construct(...$given) { ${raise(name)} } public static function __callStatic($asked, $given) { ${raise(name)} } } } }`;
    }),
    ...[...new Set(functions)].map((name) => {
      const { space, own } = placeOf(name);
      return `namespace ${space} { if (!function_exists('${name}')) { function ${own}(...$given) { ${raise(name)} } } }`;
    }),
  ];
  return `<?php ${parts.join(' ')}\n`;
}

function placeOf(name: string): { readonly space: string; readonly own: string } {
  const parts = name.split('\\');
  return { space: parts.slice(0, -1).join('\\'), own: parts.at(-1) ?? name };
}
