/** Names of the directory of a project's virtual environment, the more usual one first. */
export const VIRTUAL_ENVIRONMENTS = ['.venv', 'venv'] as const;

/** Where the programs of virtual environments are, relative to the project. */
export const VIRTUAL_ENVIRONMENT_PROGRAMS: readonly string[] = VIRTUAL_ENVIRONMENTS.map((name) => `${name}/bin`);
