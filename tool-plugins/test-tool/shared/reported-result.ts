/** One test as the report of some command has it. */
export interface ReportedResult {
  readonly name: string;
  /** A path or a class; '' where the report does not say. */
  readonly place: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** It failed by something else than an assertion, where the report says so. */
  readonly isError: boolean;
  readonly seconds: number;
  readonly message: string;
}
