/** Settings that decide which files pytest collects. A list is empty if the project does not set it. */
export interface PytestSettings {
  /** The file that contains the settings. */
  readonly file: string;
  readonly testpaths: readonly string[];
  readonly python_files: readonly string[];
}

/**
 * Files and sections in which pytest looks for settings, in its order. Only the first file that has the section is
 * used.
 */
const PLACES: readonly { readonly file: string; readonly sections: readonly string[] }[] = [
  { file: 'pytest.toml', sections: ['pytest'] },
  { file: '.pytest.toml', sections: ['pytest'] },
  { file: 'pytest.ini', sections: ['pytest'] },
  { file: '.pytest.ini', sections: ['pytest'] },
  { file: 'pyproject.toml', sections: ['tool.pytest.ini_options', 'tool.pytest'] },
  { file: 'tox.ini', sections: ['pytest'] },
  { file: 'setup.cfg', sections: ['tool:pytest'] },
];

export const PYTEST_FILES = PLACES.map(({ file }) => file);

/**
 * Reads the pytest settings of a project as text; null if it has none. `texts`: contents of `PYTEST_FILES`, by name; ''
 * if the file does not exist.
 */
export function pytestSettings(texts: Readonly<Record<string, string>>): PytestSettings | null {
  for (const { file, sections } of PLACES) {
    for (const section of sections) {
      const lines = sectionOf(texts[file] ?? '', section);
      if (lines === null) continue;
      const list = file.endsWith('.toml') ? tomlList : iniList;
      return { file, testpaths: list(lines, 'testpaths'), python_files: list(lines, 'python_files') };
    }
  }
  return null;
}

function sectionOf(text: string, name: string): readonly string[] | null {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim() === name);
  if (start === -1) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^\[/.test(line));
  return end === -1 ? rest : rest.slice(0, end);
}

/** `key = a b`, or one value on each indented line below it. */
function iniList(lines: readonly string[], key: string): string[] {
  const at = lines.findIndex((line) => new RegExp(`^${key}\\s*[=:]`).test(line));
  if (at === -1) return [];
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => /^\S/.test(line));
  const values = [(lines[at] as string).replace(/^[^=:]*[=:]/, ''), ...(end === -1 ? below : below.slice(0, end))];
  return values.flatMap((line) => line.replace(/(?:^|\s)[#;].*$/, '').split(/\s+/)).filter((word) => word !== '');
}

/** `key = "a b"` or `key = ["a", "b"]`, on one line or several. */
function tomlList(lines: readonly string[], key: string): string[] {
  const text = lines.map((line) => line.replace(/^\s*#.*$/, '')).join('\n');
  const found = new RegExp(`^[ \\t]*${key}\\s*=\\s*(?:\\[([^\\]]*)\\]|("[^"\\n]*"|'[^'\\n]*'))`, 'm').exec(text);
  if (found === null) return [];
  const strings = [...(found[1] ?? found[2] ?? '').matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return found[1] === undefined
    ? strings.flatMap((value) => value.split(/\s+/)).filter((word) => word !== '')
    : strings;
}

/** Returns the settings as arguments of the runner: directories if pytest's own names apply, otherwise globs. */
export function pytestArguments({ testpaths, python_files }: PytestSettings): string[] {
  const places = testpaths.map((path) => path.replace(/^\.\/|\/$/g, '')).filter((path) => path !== '' && path !== '.');
  const plain = places.every((path) => !/[*?[]/.test(path));
  if (python_files.length === 0 && plain) return places;
  const names = python_files.length === 0 ? ['test_*.py', '*_test.py'] : python_files;
  const starts = places.length === 0 ? [''] : places.map((path) => `${path}/`);
  return starts.flatMap((start) =>
    start.endsWith('.py/')
      ? [start.slice(0, -1)]
      : names.map((name) => (name.includes('/') ? `**/${name}` : `${start}**/${name}`)),
  );
}
