/** Unpredictable bytes: for ids, nonces, canary names. */
export interface Random {
  bytes(count: number): Uint8Array;
  /** `prefix_` and `length` characters of [a-z0-9]. */
  id(prefix: string, length?: number): string;
}
