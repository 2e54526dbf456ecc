import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProjectFiles } from '../../../../../src/kernel/proof/findings/absent/absent-modules.ts';
import { inspectChange } from '../../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../../src/platform/syntax/syntax-parser.ts';
import { ABSENT, PRESENT } from './loaded-modules.ts';
import type { Loading } from './loaded-modules.ts';

const parse = syntaxParser(() => 0);

function filesOf(tree: Readonly<Record<string, string>>, ignored: readonly string[]): ProjectFiles {
  const below = (directory: string): string[] => {
    const names = Object.keys(tree).flatMap((path) => {
      const rest = directory === '' ? path : path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : null;
      return rest === null ? [] : [rest.split('/')[0] ?? ''];
    });
    return [...new Set(names)];
  };
  return {
    list: (directory) => Promise.resolve(below(directory).length === 0 ? null : below(directory)),
    isIgnored: (path) => Promise.resolve(ignored.some((each) => path === each || path.startsWith(`${each}/`))),
    text: (path) => Promise.resolve(tree[path] ?? null),
  };
}

async function found({ source, test, before, others, ignored, changed }: Loading) {
  const [path, after] = source;
  const tested = test ?? [posix.extname(path) === '.py' ? 'tests/test_a.py' : 'test/a.test.js', ''];
  const texts = [
    { path: tested[0], role: 'test' as const, before: null, after: tested[1] },
    { path, role: 'source' as const, before: before ?? null, after },
    ...Object.entries(changed ?? {}).map(([each, text]) => ({
      path: each,
      role: 'source' as const,
      before: others?.[each] ?? null,
      after: text,
    })),
  ];
  const tree = { ...others, ...changed, [path]: after, [tested[0]]: tested[1] };
  const findings = await inspectChange(texts, parse, {
    reported: [],
    isTest: (each) => /(?:^|\/)(?:tests?|spec)\//.test(each) || /\.test\.\w+$/.test(each),
    isCode: () => true,
    unread: [],
    files: filesOf(tree, ignored ?? []),
  });
  return findings.filter(({ kind }) => kind === 'absent-module');
}

describe('a source that loads a module which no file is has a finding', () => {
  it.each(ABSENT)('$source.0: $what', async (loading) => {
    const [first, ...more] = await found(loading);
    expect([first?.path, more]).toEqual([loading.source[0], []]);
    expect(first?.words).toMatch(/no file of the project|does not declare/);
  });
});

describe('a module that exists, is generated or is installed is no absent module', () => {
  it.each(PRESENT)('$source.0: $what', async (loading) => {
    expect(await found(loading)).toEqual([]);
  });
});

it('modules are not looked for without the files of the project', async () => {
  const texts = [{ path: 'src/a.js', role: 'source' as const, before: null, after: "import './b.js';\n" }];
  const facts = { reported: [], isTest: () => false, isCode: () => true, unread: [] };
  expect(await inspectChange(texts, parse, facts)).toEqual([]);
});
