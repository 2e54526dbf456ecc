import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { nodesOf, plainText, rootOf } from '../../syntax/walk.ts';
import type { InspectedChange, InspectedFile } from '../finding.ts';
import { callsIn, functionName, FUNCTIONS, lastName } from '../names.ts';
import { writtenTests } from './languages/written-tests.ts';

const IMPORTS = /^import_(?:from_)?statement$/;

/**
 * Returns whether a case calls an asserting function that its file imports from another test file. In Go, the function
 * may be in another file of the package.
 */
export function callsAssertingHelper(body: SyntaxNode, text: string, { tests, helpers }: InspectedChange): boolean {
  const called = new Set(callsIn(body).map((call) => lastName(call, text)));
  const imports = importsAround(body, text);
  return [...tests, ...helpers].some((file) => {
    if (file.language === 'go') return declaresAsserting(file, (name) => called.has(name));
    const stem = posix.basename(file.path, posix.extname(file.path));
    const named = new RegExp(`[/."'\\s]${escaped(stem)}(?:\\.\\w+)?["'\\s]`);
    const from = imports.filter((each) => named.test(`${each} `));
    if (from.length === 0) return false;
    const isImported = (name: string) => from.some((each) => new RegExp(`\\b${escaped(name)}\\b`).test(each));
    return declaresAsserting(file, (name) => called.has(name) && isImported(name));
  });
}

function declaresAsserting(file: InspectedFile, isCalled: (name: string) => boolean): boolean {
  const written = writtenTests(file.language, file);
  return [...nodesOf(file.root)].some((node) => {
    const name = FUNCTIONS.has(node.kind) ? nameOf(node, file.text) : '';
    return name !== '' && isCalled(name) && written.assertions(node).length > 0;
  });
}

function importsAround(node: SyntaxNode, text: string): string[] {
  return rootOf(node).children.flatMap((each) => (IMPORTS.test(each.kind) ? [plainText(each, text)] : []));
}

function nameOf(node: SyntaxNode, text: string): string {
  const name = functionName(node);
  return plainText(name, text);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}-]/g, '\\$&');
}
