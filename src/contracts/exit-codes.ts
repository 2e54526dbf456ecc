/** Process exit codes. `EXIT_PRECEDENCE` lists their precedence, strongest first. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  noRuntime: 3,
  decisionNeeded: 4,
  limit: 5,
  provider: 6,
  kernelCrashed: 7,
  policyDenied: 8,
  gate: 9,
  auditBroken: 10,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_PRECEDENCE: readonly ExitCode[] = [7, 3, 6, 5, 130, 143, 4, 9, 8, 1, 2, 10, 0];

/** The exit code if several reasons hold at once. */
export function strongestExit(codes: readonly ExitCode[]): ExitCode {
  return EXIT_PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.done;
}
