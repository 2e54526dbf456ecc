import { javascriptNames, SILENT } from './javascript-stand-in.ts';

const JAVASCRIPT = `\nconst silent = ${SILENT};\n`;

/** Returns the text of a module whose exports never throw. It replaces a module that throws while it is used. */
export function silentJavascript(tests: string, form: 'module' | 'commonjs'): string {
  const names = javascriptNames(tests);
  if (form === 'commonjs') {
    return `${JAVASCRIPT}\nmodule.exports = silent();\n${names.map((name) => `module.exports.${name} = silent();`).join('\n')}\n`;
  }
  const constants = names.map((_, index) => `const s${index} = silent();`);
  const list = names.map((name, index) => `s${index} as ${name}`).join(', ');
  return `${JAVASCRIPT}\n${constants.join('\n')}\nexport { ${list} };\nexport default silent();\n`;
}

export const SILENT_PYTHON = `
class _Silent:
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return _Silent()

    def _more(self, *_args, **_kwargs):
        return _Silent()

    __call__ = __getitem__ = __enter__ = __add__ = __radd__ = __sub__ = __mul__ = _more

    def __exit__(self, *_args):
        return False

    def __iter__(self):
        return iter(())


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _Silent()
`;

/** Returns the module with silent stand-ins for all missing names. */
export function withSilentPython(source: string): string {
  return `${source}\n${SILENT_PYTHON}`;
}
