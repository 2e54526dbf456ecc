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

/**
 * Pure: returns the text with the bodies of its changed functions replaced; null if there is no such function, or the
 * language is not supported.
 */
export function hollowSource(source: ParsedText, isChanged: (node: SyntaxNode) => boolean): string | null {
  const form = LANGUAGES[source.language];
  if (form === undefined) return null;
  const emptied = replacedBodies(source, (node, text) => (isChanged(node) ? form.bodyFor(node, text) : null));
  return emptied === null ? null : (form.completed?.(emptied) ?? emptied);
}
