export type Token =
  | { readonly kind: 'byte'; readonly code: number }
  | { readonly kind: 'one' }
  /** Any run of bytes without a slash. */
  | { readonly kind: 'star' }
  /** A double star with a slash after it: no directory, or any number of them with their slashes. In patterns for whole paths only. */
  | { readonly kind: 'directories' }
  /** A double star at the end of a pattern for whole paths: everything that is left. */
  | { readonly kind: 'rest' }
  /** A bracket expression as written; `folded` also matches the lower-case form of each capital letter that it names. */
  | { readonly kind: 'set'; readonly expression: string; readonly folded: boolean };
