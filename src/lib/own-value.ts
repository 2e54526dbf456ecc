/** The value of a key that the table itself has. A key from outside may be `constructor`, which every object inherits. */
export function ownValue<V>(table: Readonly<Partial<Record<string, V>>>, key: string): V | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
