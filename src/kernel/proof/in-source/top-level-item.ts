/** One declaration at the top of a file, with the attributes and comments that belong to it. */
export interface TopLevelItem {
  readonly role: 'test' | 'source' | 'comment' | 'module';
  readonly start: number;
  readonly end: number;
  /** Of a `module`: the name of the file that it makes a part of the program, and nothing else. */
  readonly module?: string;
}
