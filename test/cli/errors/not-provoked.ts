/** Rows of docs/errors.md that no test of the command line can bring about, and what shows them instead. */
export const NOT_PROVOKED: Readonly<Record<string, string>> = {
  base_unavailable: 'needs a machine without git and a registry that fails',
  engine_no_permission: 'root, as which tests may run, has permission: test/bootstrap/detect-runtime.test.ts',
  engine_not_installed: 'would install an engine: test/host/setup/ensure-engine.test.ts, on a machine of files',
  engine_not_started: 'would start an engine: test/host/setup/ensure-engine.test.ts, on a machine of files',
  host_base_incomplete: 'needs a machine without git or coreutils',
  images_not_recorded: 'root may write everywhere: test/cli/supervisor/sandbox-images.test.ts, with a full disk',
  kernel_unresponsive: 'takes its grace time: test/cli/headless/deaf-kernel.test.ts, on a clock of the test',
  object_too_large: 'needs an object of more than the largest size that is read',
  operation_write_failed: 'a step of a merge: test/platform/sqlite/operation-log.test.ts',
  project_not_owned:
    'root may work on every project: test/cli/project/detect-project.test.ts, with the uid of another user',
  project_in_use: 'needs a supervisor that works, with a session that is open',
  repository_locked: 'takes the seconds that it waits: test/platform/git/foreign-lock.test.ts',
};
