/**
 * Values by name, looked up by a part of a longer text. Most look-ups find nothing, and most of those are rejected by length and first character,
 * without extracting and hashing the name.
 */
export class NameTable<T> {
  readonly #byName = new Map<string, T>();
  /** Bit sets, modulo 32: of the lengths and of the first characters of all names. */
  #lengths = 0;
  #initials = 0;
  /** Maximum length of the names. No longer text is extracted, so a look-up never costs more than the names that were added. */
  longest = 0;

  /** The value of `text.slice(start, end)`. */
  find(text: string, start: number, end: number): T | undefined {
    return this.mayHave(text, start, end) ? this.#byName.get(text.slice(start, end)) : undefined;
  }

  /** False is certain; true is not. */
  mayHave(text: string, start: number, end: number): boolean {
    const length = end - start;
    if (length > this.longest || (this.#lengths & (1 << length)) === 0) return false;
    return (this.#initials & (1 << text.charCodeAt(start))) !== 0;
  }

  get(name: string): T | undefined {
    return this.#byName.get(name);
  }

  findOrAdd(name: string, make: () => T): T {
    const existing = this.#byName.get(name);
    if (existing !== undefined) return existing;
    const value = make();
    this.#byName.set(name, value);
    this.longest = Math.max(this.longest, name.length);
    this.#lengths |= 1 << name.length;
    this.#initials |= 1 << name.charCodeAt(0);
    return value;
  }
}
