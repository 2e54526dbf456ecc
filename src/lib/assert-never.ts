/** Ends an exhaustive switch: the compiler rejects a call whose argument can still have a value. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
