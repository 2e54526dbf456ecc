import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { lastName, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const RUNNERS =
  /^(?:node:test|vitest|jest|mocha|@jest\/globals|pytest|_pytest|unittest|nose|django\.test|chai|bun:test|(?:jsr:)?@std\/(?:assert|expect|testing)|minitest|rspec|test\/unit)(?:$|[/.@])/;
const RUNNER_STATE =
  /^testserver$|memorydb_|__vitest_worker__|NODE_TEST_CONTEXT|NODE_V8_COVERAGE|PYTEST_CURRENT_TEST|PYTEST_VERSION|JEST_WORKER_ID|VITEST|MOCHA_|JEST_STATE|jest-matchers-object|matchers-object|FLUFFY|\/fluffy\b/;
/** Processes in the sandbox, and their open files. */
const PROCESSES = /^\/proc(?:\/(?!(?:cpuinfo|meminfo|loadavg|stat|uptime|version|mounts)$)|$)/;
/** Runners that are members of their runtime. */
const RUNNER_MEMBER = /^(?:Deno\.test|Bun\.jest)$/;
const NAMES = new Set(['identifier', 'property_identifier', 'dotted_name']);
const IMPORTS = new Set(['import_statement', 'import_from_statement']);

/** A source that names a test runner, its state or the sandbox. */
export const namesRunner: Inspection = {
  kind: 'names-runner',
  *look(file) {
    const { text } = file;
    for (const node of addedNodes(file)) {
      if (node.kind === 'member_expression' && RUNNER_MEMBER.test(plainText(node, text)))
        yield { line: node.line, words: `it names ${plainText(node, text)}` };
      const value = NAMES.has(node.kind) ? plainText(node, text) : literalOf(node, text);
      const beginning = node.kind === 'template_string' ? plainText(node, text).slice(1) : value;
      if (beginning !== null && PROCESSES.test(beginning)) yield { line: node.line, words: 'it looks at processes' };
      if (value === null) continue;
      const isRunner =
        (RUNNERS.test(value) && (isImported(node, text) || isLookedUp(node, text))) || isCommand(value, node, text);
      if (isRunner || RUNNER_STATE.test(value)) yield { line: node.line, words: `it names ${value}` };
    }
  },
};

/** `import … from 'vitest'`, `import unittest`, `require('chai')`. */
function isImported(node: SyntaxNode, text: string): boolean {
  const place = above(node, ({ kind }) => IMPORTS.has(kind) || kind === 'call_expression' || kind === 'call');
  if (place === null) return false;
  if (IMPORTS.has(place.kind)) return node.kind !== 'identifier';
  const called = lastName(place, text);
  return node.kind === 'string' && /^(?:require|import|import_module|__import__)$/.test(called);
}

/** `'test' in sys.argv`: true under `manage.py test`. */
function isCommand(value: string, node: SyntaxNode, text: string): boolean {
  const place = value === 'test' ? above(node, ({ kind }) => kind === 'comparison_operator') : null;
  return /\bargv\b/.test(plainText(place, text));
}

const LOOKUPS = new Set(['comparison_operator', 'subscript', 'subscript_expression', 'binary_expression']);

/** `'pytest' in sys.modules`, `require.cache['vitest']`. */
function isLookedUp(node: SyntaxNode, text: string): boolean {
  const place = above(node, ({ kind }) => LOOKUPS.has(kind));
  return /sys\.modules|require\.cache|process\.|argv|stack/.test(plainText(place, text));
}
