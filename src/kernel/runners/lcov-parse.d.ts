declare module 'lcov-parse' {
  interface Line {
    readonly line: number;
    readonly hit: number;
  }
  interface Record {
    readonly file?: string;
    readonly lines: { readonly details: readonly Line[] };
  }
  /** `source` reads the text itself; the package's main function would take it for the name of a file first. It answers before it returns. */
  const lcov: { source(text: string, done: (error: string | null, records?: readonly Record[]) => void): void };
  export default lcov;
}
