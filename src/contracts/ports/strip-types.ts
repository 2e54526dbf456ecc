/** A TypeScript source without its types, all other text at its old position; or why that failed. */
export type StrippedSource =
  { readonly kind: 'ok'; readonly code: string } | { readonly kind: 'refused'; readonly why: string };

/**
 * Removes the types from sources without running, resolving or loading anything. One answer for each source, in order. Syntax for which TypeScript
 * generates code (enums, namespaces, parameter properties, import aliases) is refused, not translated. Imports stay unless they are marked as type
 * imports.
 */
export type StripTypes = (sources: readonly string[]) => Promise<readonly StrippedSource[]>;
