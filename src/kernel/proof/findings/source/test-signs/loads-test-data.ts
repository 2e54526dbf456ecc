import { posix } from 'node:path';
import { plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedChange, Inspection } from '../../finding.ts';
import { literalOf } from '../../names.ts';

const LANGUAGES = new Set(['go', 'rust', 'java', 'cpp']);
const TEXTS = /string_literal$/;
/** Paths of tests, their data and their compiled classes. */
const PLACES =
  /(?:^|\/)(?:testdata|test-classes|src\/test|tests)(?:\/|$)|_tests?\.(?:go|rs)$|\w(?:Test|Tests|IT)\.(?:class|java)$/;
const RESOURCES = /^(?:.*\/)?src\/test\/(?:resources|java)\//;

/** A source in a compiled language that finds data or classes of tests by name at run time. */
export const loadsTestData: Inspection = {
  kind: 'loads-tests',
  *look(file, change) {
    if (!LANGUAGES.has(file.language)) return;
    const services = change.testPaths.find((path) => path.includes('META-INF/services/'));
    for (const node of addedNodes(file)) {
      if (
        services !== undefined &&
        node.kind === 'method_invocation' &&
        /^(?:\w+\.)*ServiceLoader\.load\w*\(/.test(plainText(node, file.text))
      )
        yield { line: node.line, words: `it loads services, and ${services} belongs to the tests` };
      const value = TEXTS.test(node.kind) ? literalOf(node, file.text) : null;
      const found = value === null ? null : namedTest(value, file.language === 'java', change);
      if (found !== null) yield { line: node.line, words: `it names ${found}, which belongs to the tests` };
    }
  },
};

function namedTest(value: string, isJava: boolean, { testPaths }: InspectedChange): string | null {
  if (/\s/.test(value) || value === '') return null;
  if (PLACES.test(value)) return value;
  if (!isJava) return null;
  // `shop.Product`, `/mul.properties`, and `mul` for a resource bundle.
  const wanted = value.replace(/^\//, '');
  const asPath = wanted.replaceAll('.', '/');
  return (
    testPaths.find((path) => {
      if (!RESOURCES.test(path)) return false;
      const place = path.replace(RESOURCES, '');
      const stem = place.slice(0, place.length - posix.extname(place).length);
      return place === wanted || stem === wanted || stem === asPath || posix.basename(place) === wanted;
    }) ?? null
  );
}
