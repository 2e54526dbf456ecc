/** Wraps a function so that it computes its value once for each first argument. The other arguments must always be the same for it. */
export function once<Key extends object, Rest extends readonly unknown[], Value>(
  compute: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key, ...rest) => {
    const { value } = known.get(key) ?? { value: compute(key, ...rest) };
    known.set(key, { value });
    return value;
  };
}
