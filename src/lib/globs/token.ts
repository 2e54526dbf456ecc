export type Token =
  | { readonly kind: 'byte'; readonly code: number }
  | { readonly kind: 'one' }
  /** Any number of bytes without a slash. */
  | { readonly kind: 'star' }
  /** A double star with a slash after it: any number of directories with their slashes, including zero. Only in patterns for whole paths. */
  | { readonly kind: 'directories' }
  /** A double star at the end of a pattern for whole paths: the rest of the path. */
  | { readonly kind: 'rest' }
  /** A bracket expression as written; `folded` also matches the lower-case form of each upper-case letter that it names. */
  | { readonly kind: 'set'; readonly expression: string; readonly folded: boolean };
