/**
 * Values by name, looked up by a part of a longer text. Most names that are looked up are not there, and most of those are turned away by
 * their length and first character, without being cut out and hashed.
 */
export class NameTable<T> {
  readonly #byName = new Map<string, T>();
  /** Bit sets, modulo 32: of the lengths and of the first characters of all names. */
  #lengths = 0;
  #initials = 0;

  /** The value of `text.slice(start, end)`. */
  find(text: string, start: number, end: number): T | undefined {
    if ((this.#lengths & (1 << (end - start))) === 0) return undefined;
    if ((this.#initials & (1 << text.charCodeAt(start))) === 0) return undefined;
    return this.#byName.get(text.slice(start, end));
  }

  findOrAdd(name: string, make: () => T): T {
    const existing = this.#byName.get(name);
    if (existing !== undefined) return existing;
    const value = make();
    this.#byName.set(name, value);
    this.#lengths |= 1 << name.length;
    this.#initials |= 1 << name.charCodeAt(0);
    return value;
  }
}
