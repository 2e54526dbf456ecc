export interface ListOptions<T> {
  /** How many items are named. */
  readonly max: number;
  /** Between two items; a comma by default. */
  readonly separator?: string;
  /** How an item is written; called for the named ones only. */
  readonly name?: (item: T) => string | number;
}

/** The first items in one line, and how many more there are: `a, b and 3 more`. */
export function listFirst<T>(items: readonly T[], options: ListOptions<T>): string {
  const { max, separator = ', ', name = String } = options;
  const named = items.slice(0, max).map(name).join(separator);
  return items.length > max ? `${named} and ${items.length - max} more` : named;
}
