/** One test as the report of some command has it. */
export interface ReportedResult {
  readonly name: string;
  /** A path or a class; '' where the report does not say. */
  readonly place: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  readonly message: string;
}
