declare module 'lcov-parse' {
  interface Line {
    readonly line: number;
    readonly hit: number;
  }
  interface Record {
    readonly file?: string;
    readonly lines: { readonly details: readonly Line[] };
  }
  /**
   * `source` parses the text. The main function of the package would first use it as a file name. `done` is called
   * before `source` returns.
   */
  const lcov: { source(text: string, done: (error: string | null, records?: readonly Record[]) => void): void };
  export default lcov;
}
