import type { Rule } from 'eslint';

/**
 * ESLint rule: words that a reader has to read twice, with the standard word for each. It looks at names, comments and texts.
 * A word is added here when a reader stumbled over it.
 */
interface RejectedWord {
  readonly pattern: RegExp;
  /** The standard word. */
  readonly use: string;
  /** Good English in a sentence, a riddle as a name. */
  readonly only?: 'name';
}

/** Patterns are matched against prose, and against names split into lower-case words: `theName` is read as `the name`. */
const REJECTED_WORDS: readonly RejectedWord[] = [
  { pattern: /\bmend(s|ed|ing)?\b/i, use: 'fix or repair' },
  { pattern: /\btold\b/i, use: 'reported, shown or sent' },
  { pattern: /\bhears?\b/i, use: 'receive' },
  { pattern: /\bso many\b/i, use: 'that many, or maximum' },
  { pattern: /\basked for\b/i, use: 'requested' },
  { pattern: /\bdoors?\b/i, use: 'socket or service' },
  { pattern: /\bworlds?\b/i, use: 'services, environment or context' },
  { pattern: /\bsurroundings\b/i, use: 'environment' },
  { pattern: /\bfor want of\b/i, use: 'without' },
  { pattern: /\bwhat is fluffy's own\b/i, use: "Fluffy's own files" },
  { pattern: /\bcarr(y|ies|ied) out\b/i, use: 'run, apply or perform', only: 'name' },
  { pattern: /\binstead\b/i, use: 'override or replacement', only: 'name' },
  { pattern: /\bnobody is\b/i, use: 'no one, with the verb that is meant' },
  { pattern: /\bstands\b(?! for)/i, use: 'is' },
  { pattern: /\banew\b/i, use: 'again' },
  { pattern: /\bwent away\b/i, use: 'ended, closed or disconnected' },
  { pattern: /\ball the same\b/i, use: 'anyway' },
  { pattern: /\bas things are\b/i, use: 'in its present state' },
  { pattern: /\bvouch(es|ed|ing)?\b/i, use: 'confirm' },
  { pattern: /\bof one's own\b/i, use: 'of the user, or own' },
];

export interface FoundWord {
  readonly word: string;
  readonly use: string;
}

export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_$#-]+/g, ' ')
    .toLowerCase();
}

/** The rejected words of a piece of text, each once. */
export function rejectedIn(text: string, kind: 'name' | 'prose'): FoundWord[] {
  const read = kind === 'name' ? wordsOfName(text) : text;
  return REJECTED_WORDS.filter(({ only }) => only === undefined || only === kind).flatMap(({ pattern, use }) => {
    const match = pattern.exec(read);
    return match === null ? [] : [{ word: match[0], use }];
  });
}

/** Where a name is made. Where it is only used, it may be somebody else's. */
const DECLARATIONS = [
  'VariableDeclarator > Identifier.id',
  'FunctionDeclaration > Identifier.id',
  'ClassDeclaration > Identifier.id',
  'TSInterfaceDeclaration > Identifier.id',
  'TSTypeAliasDeclaration > Identifier.id',
  ':function > Identifier.params',
  ':function > AssignmentPattern.params > Identifier.left',
  'ArrayPattern > Identifier.elements',
  'Property > Identifier.key',
  'PropertyDefinition > Identifier.key',
  'PropertyDefinition > PrivateIdentifier.key',
  'MethodDefinition > Identifier.key',
  'MethodDefinition > PrivateIdentifier.key',
  'TSPropertySignature > Identifier.key',
  'TSMethodSignature > Identifier.key',
].join(', ');

type Place = Parameters<Rule.RuleContext['report']>[0] extends infer D ? Extract<D, { loc: unknown }>['loc'] : never;

export const plainWords: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [], messages: { rejected: '"{{word}}" is hard to read here; use {{use}}.' } },
  create(context) {
    const check = (loc: Place | null | undefined, text: string, kind: 'name' | 'prose'): void => {
      if (loc === null || loc === undefined) return;
      for (const { word, use } of rejectedIn(text, kind))
        context.report({ loc, messageId: 'rejected', data: { word, use } });
    };
    const checkText = (node: Rule.Node & { readonly value: unknown }): void => {
      if (typeof node.value === 'string') check(node.loc, node.value, 'prose');
    };
    return {
      Program() {
        for (const { loc, value } of context.sourceCode.getAllComments()) check(loc, value, 'prose');
      },
      [DECLARATIONS]: (node: Rule.Node & { readonly name: string }) => check(node.loc, node.name, 'name'),
      Literal: (node) => checkText(node as Rule.Node & { value: unknown }),
      JSXText: checkText,
      TemplateElement: (node) => check(node.loc, node.value.cooked ?? '', 'prose'),
    };
  },
};
