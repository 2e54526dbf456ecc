import type { SyntaxLanguage, SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { replacedBodies } from '../../syntax/replaced-bodies.ts';
import type { ParsedText } from '../../syntax/replaced-bodies.ts';
import { hollowCpp } from './cpp.ts';
import { hollowGo } from './go.ts';
import type { HollowLanguage } from './hollow-language.ts';
import { hollowJava } from './java.ts';
import { hollowRust } from './rust.ts';

const LANGUAGES: Partial<Record<SyntaxLanguage, HollowLanguage>> = {
  go: hollowGo,
  java: hollowJava,
  rust: hollowRust,
  cpp: hollowCpp,
};

/** Pure: the text with its changed functions emptied; null where there is none, or the language has no such form. */
export function hollowSource(source: ParsedText, isChanged: (node: SyntaxNode) => boolean): string | null {
  const form = LANGUAGES[source.language];
  if (form === undefined) return null;
  const emptied = replacedBodies(source, (node, text) => (isChanged(node) ? form.bodyFor(node, text) : null));
  return emptied === null ? null : (form.completed?.(emptied) ?? emptied);
}
