/** Ends an exhaustive switch: the compiler rejects a call whose argument can still be something. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
