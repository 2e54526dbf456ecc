/** The languages whose grammar is shipped. */
export const SYNTAX_LANGUAGES = [
  'javascript',
  'typescript',
  'tsx',
  'python',
  'go',
  'rust',
  'java',
  'ruby',
  'php',
  'cpp',
] as const;
export type SyntaxLanguage = (typeof SYNTAX_LANGUAGES)[number];

/** A node of a syntax tree, as plain data. `kind` and `field` are the grammar's own names; offsets are in UTF-16 units of the text. */
export interface SyntaxNode {
  readonly kind: string;
  /** Its role in the parent's rule, such as `left` or `condition`. */
  readonly field: string | null;
  /** False for punctuation, keywords and operators. */
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  /** 1-based line where it starts. */
  readonly line: number;
  /** 1-based line where it ends. */
  readonly endLine: number;
  readonly parent: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
}

export type ParsedSource =
  /** `complete` is false if the text has syntax errors: then the tree has nodes of kind `ERROR`, or nodes that are not in the text. */
  | { readonly kind: 'parsed'; readonly root: SyntaxNode; readonly complete: boolean }
  | { readonly kind: 'refused'; readonly why: string };

/** One replacement in a text; offsets are in UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Parses texts. It never throws because of a text: a text that is too large, too deep or too slow is refused. */
export interface ParseSyntax {
  (language: SyntaxLanguage, text: string): Promise<ParsedSource>;
  /** Whether the text without errors is still complete after each one of the edits. Only what an edit changes is parsed again. */
  completeAfter(language: SyntaxLanguage, text: string, edits: readonly TextEdit[]): Promise<readonly boolean[]>;
}
