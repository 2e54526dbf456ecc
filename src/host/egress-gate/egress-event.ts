/**
 * The gate's reports: hosts, ports and byte counts, never content. `target` is the sandbox's request, shortened and made printable; it is the only
 * text here that a sandbox chooses.
 */
export type EgressEvent =
  | { readonly kind: 'allowed'; readonly host: string; readonly port: number; readonly address: string }
  | { readonly kind: 'refused'; readonly target: string; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly host: string; readonly port: number; readonly reason: string }
  | {
      readonly kind: 'closed';
      readonly host: string;
      readonly port: number;
      readonly sentBytes: number;
      readonly receivedBytes: number;
      readonly durationMs: number;
    }
  /** Refusals beyond the number that is reported individually. */
  | { readonly kind: 'suppressed'; readonly count: number };

const MAX_TARGET_LENGTH = 260;

export function printableTarget(target: string): string {
  return target.slice(0, MAX_TARGET_LENGTH).replace(/[^!-~]/g, '?');
}
