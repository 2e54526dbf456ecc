const RESERVED = new Set([
  ...['await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default', 'delete', 'do', 'else'],
  ...['enum', 'export', 'extends', 'false', 'finally', 'for', 'function', 'if', 'implements', 'import', 'in'],
  ...['instanceof', 'interface', 'let', 'new', 'null', 'package', 'private', 'protected', 'public', 'return'],
  ...['static', 'super', 'switch', 'this', 'throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield'],
]);
const MAX_NAMES = 5_000;
const START = String.raw`[\p{ID_Start}$_]`;
const PART = String.raw`[\p{ID_Continue}$\u200c\u200d]`;
const NAME = new RegExp(`^${START}${PART}*$`, 'u');
const NAMES = new RegExp(`(?<!${PART})${START}${PART}*`, 'gu');

/** The thrown value is not an `Error`, so a case that expects an error of some class or message does not accept it. */
const STAND_IN = `
const notWritten = (name) => {
  throw { message: name + ' is not written yet' };
};
const isExport = (target, key) => Object.hasOwn(target, key) && key !== 'name' && key !== 'length';
const standIn = (name) =>
  new Proxy(function () {}, {
    apply: () => notWritten(name),
    construct: () => notWritten(name),
    get: (target, key) =>
      typeof key === 'symbol' || key === '__esModule' || key === 'then' || isExport(target, key)
        ? Reflect.get(target, key)
        : notWritten(name),
  });
`;

/**
 * A function that returns another such function for every use, so nothing throws while a file loads. Converted to text
 * it is a fixed text. It equals nothing but itself.
 */
export const SILENT = `function silent() {
  return new Proxy(function () {}, {
    apply: () => silent(),
    construct: () => silent(),
    get: (target, key) =>
      key === Symbol.toPrimitive ? (hint) => (hint === 'string' ? 'not written yet' : NaN) :
      typeof key === 'symbol' || key === '__esModule' || key === 'then' || key === 'prototype'
        ? Reflect.get(target, key)
        : silent(),
  });
}`;

/** Returns the text of a module that exports every name that its tests use. Each export throws when it is used. */
export function javascriptStandIn(tests: string, form: 'module' | 'commonjs'): string {
  const names = javascriptNames(tests);
  if (form === 'commonjs') {
    const exported = names.map((name) => `exports.${name} = standIn(${JSON.stringify(name)});`);
    return `${STAND_IN}\nmodule.exports = exports = standIn('the module');\n${exported.join('\n')}\n`;
  }
  const constants = names.map((name, index) => `const s${index} = standIn(${JSON.stringify(name)});`);
  const list = names.map((name, index) => `s${index} as ${name}`).join(', ');
  return `${STAND_IN}\n${constants.join('\n')}\nexport { ${list} };\nexport default standIn('the module');\n`;
}

export function canExport(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name);
}

/** Returns the text of an existing module that also exports these names. */
export function withJavascriptStandIns(source: string, names: readonly string[], form: 'throwing' | 'silent'): string {
  const made = names.map((name) => {
    const thrown = `{ message: ${JSON.stringify(`${name} is not written yet`)} }`;
    const value = form === 'silent' ? `(${SILENT})()` : `() => { throw ${thrown}; }`;
    return `const standIn_${name} = ${value};\nexport { standIn_${name} as ${name} };\n`;
  });
  return `${source}\n${made.join('')}`;
}

/** Returns every name in a test that a module can export. */
export function javascriptNames(text: string): string[] {
  const found = new Set(text.match(NAMES));
  return [...found]
    .filter((name) => !RESERVED.has(name) && !/^s\d+$|^(?:standIn|notWritten|isExport|silent)$/.test(name))
    .slice(0, MAX_NAMES);
}
