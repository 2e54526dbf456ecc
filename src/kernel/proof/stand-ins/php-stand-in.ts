const IMPORTED = /^use\s+(function\s+)?\\?([\w\\]+)(?:\s+as\s+\w+)?;/gm;
const NAMED = /\bnew\s+\\?([A-Z][\w\\]*)|(?<![\w\\$>:])\\?([A-Z][\w\\]*)::/g;
const NOT_OF_PROJECT =
  /^(?:PHPUnit|SebastianBergmann|Throwable|\w*(?:Exception|Error)|DateTime\w*|Array\w+|ArrayObject|TestCase|Self|Static|Parent|Global)(?:$|\\)/;

/** The part of a PHP file that must come before any statement. */
const HEAD =
  /^<\?php\b(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n|#(?!\[)[^\n]*\n)*(?:declare\s*\([^()]*\)\s*;\s*)?(?:namespace\s+[\w\\]+\s*;)?/;
const NOT_FOUND = /^(Class|Interface|Trait) "([\w\\]+)" not found/;

/**
 * Returns the tests with a stand-in for a missing parent type of one of their classes; null if the message names no
 * such type. The stand-in is on the first line of the code.
 */
export function withPhpType(tests: string, message: string): string | null {
  const [, kind = '', name] = NOT_FOUND.exec(message) ?? [];
  const head = HEAD.exec(tests)?.[0];
  if (name === undefined || head === undefined) return null;
  const { space, own } = placeOf(name);
  const members =
    kind === 'Class'
      ? `public function __call($asked, $given) { throw new \\Error("${own} is not written yet"); }`
      : '';
  const declared = `${space === '' ? '' : `namespace ${space}; `}${kind.toLowerCase()} ${own} { ${members} }`;
  return `${head} eval('${declared}'); ${tests.slice(head.length)}`;
}

/**
 * Returns a source that declares the classes and functions which these tests name. Each throws
 * `NotWritten` when it is used: no test expects an error of that class.
 */
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
