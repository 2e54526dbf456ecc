/** One declaration at the top level of a file, with its attributes and comments. */
export interface TopLevelItem {
  readonly role: 'test' | 'source' | 'comment' | 'module';
  readonly start: number;
  readonly end: number;
  /** The module name, for an item that only declares a module in another file. */
  readonly module?: string;
}
