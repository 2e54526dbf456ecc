/** Why a connection is over. Only `remote` is an orderly end by the other side; a `violation` is a broken rule of the protocol. */
export type CloseReason =
  | { readonly kind: 'local' }
  | { readonly kind: 'remote' }
  | { readonly kind: 'violation'; readonly rule: string }
  | { readonly kind: 'transport'; readonly error: Error };

export function describeClose(reason: CloseReason): string {
  switch (reason.kind) {
    case 'local':
      return 'closed by this side';
    case 'remote':
      return 'closed by the other side';
    case 'violation':
      return `closed for breaking the protocol: ${reason.rule}`;
    case 'transport':
      return `broken: ${reason.error.message}`;
  }
}
