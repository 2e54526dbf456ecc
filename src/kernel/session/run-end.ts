/** Why a run came to its end. */
export type RunEnd =
  | { readonly kind: 'committed'; readonly commit: string; readonly subject: string }
  | { readonly kind: 'answered' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'gave-up'; readonly reason: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'limit'; readonly limit: string }
  | { readonly kind: 'provider-failed'; readonly reason: string }
  | { readonly kind: 'sandbox-failed'; readonly reason: string }
  | { readonly kind: 'merge-failed'; readonly reason: string }
  | { readonly kind: 'interrupted'; readonly signal: 'interrupt' | 'terminate' };
