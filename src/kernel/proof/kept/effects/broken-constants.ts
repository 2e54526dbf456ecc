import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { editedText } from '../../../../lib/syntax/edited-text.ts';

/** A name with a constant value in a source. */
export interface GivenConstant {
  readonly path: string;
  readonly text: string;
  /** The whole entry: `reverse=True`. */
  readonly node: SyntaxNode;
  readonly name: string;
  readonly written: SyntaxNode;
  readonly value: string;
}

/** Whole texts of the source: without the constant, and with another value. */
export interface BrokenConstant {
  readonly without: string;
  readonly other: string;
}

const LISTED =
  /^(?:pair|keyword_argument|keyed_element|array_element_initializer|field_initializer|argument|shorthand_property_identifier)$/;

/**
 * Returns the source without the constant, and with another value for it. A test that checks the constant notices both.
 * A test that notices only another value of `timeout: 0` says nothing about the default that applies without it. If the
 * constant cannot be left out, every call notices its absence. null if one of the two texts cannot be made.
 */
export function brokenConstant(constant: GivenConstant): BrokenConstant | null {
  const without = withoutEntry(constant);
  const other = withOtherValue(constant);
  return without === null || other === null ? null : { without, other };
}

function withoutEntry({ text, node }: GivenConstant): string | null {
  if (!LISTED.test(node.kind)) return null;
  const behind = /^\s*,/.exec(text.slice(node.end));
  if (behind !== null) return text.slice(0, node.start) + text.slice(node.end + behind[0].length);
  const before = /,\s*$/.exec(text.slice(0, node.start));
  return text.slice(0, node.start - (before?.[0].length ?? 0)) + text.slice(node.end);
}

function withOtherValue({ path, text, node, name, written, value }: GivenConstant): string | null {
  const other = otherValue(value, path.endsWith('.py'));
  if (other === null) return null;
  const replacement = written === node ? `${name}: ${other}` : other;
  return editedText(text, { start: written.start, end: written.end, replacement });
}

function otherValue(value: string, isPython: boolean): string | null {
  if (value === 'true' || value === 'false') {
    const other = value === 'true' ? 'false' : 'true';
    return isPython ? `${other[0]?.toUpperCase() ?? ''}${other.slice(1)}` : other;
  }
  return /^\d+$/.test(value) ? String(Number(value) + 1) : null;
}
