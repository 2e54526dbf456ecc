/** What is left of a TypeScript source without its types, everything else in its place; or why that can't be had. */
export type StrippedSource =
  { readonly kind: 'ok'; readonly code: string } | { readonly kind: 'refused'; readonly why: string };

/**
 * Takes the types out of sources without running, resolving or loading anything. One answer for each, in order. What TypeScript makes code of (enums,
 * namespaces, parameter properties, import aliases) is refused, not translated. Imports stay unless they are of types by their own words.
 */
export type StripTypes = (sources: readonly string[]) => Promise<readonly StrippedSource[]>;
