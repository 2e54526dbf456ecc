import Database from 'better-sqlite3';

export interface FailurePlan {
  /** Counts down with every statement that writes; the one that brings it to zero fails. */
  remaining: number;
  /** How many fail in a row, starting with that one; default 1. */
  readonly inARow?: number;
  readonly code: 'SQLITE_FULL' | 'SQLITE_IOERR_FSYNC';
  /** Fails before the statement has run, or after it has had its effect and before anybody knows. */
  readonly when: 'before' | 'after';
}

/** A connection whose nth writing statement (BEGIN, INSERT, COMMIT, …) fails once. */
export function failingConnection(connection: Database.Database, plan: FailurePlan): Database.Database {
  return intercept(connection, (property, original) => {
    if (property !== 'prepare') return original;
    return (sql: string) => failingStatement(connection.prepare(sql), plan);
  });
}

function failingStatement(statement: Database.Statement, plan: FailurePlan): Database.Statement {
  return intercept(statement, (property, original) => {
    if (property === 'pluck') {
      return () => {
        statement.pluck();
        return failingStatement(statement, plan);
      };
    }
    if (property !== 'run') return original;
    return (...values: unknown[]) => {
      plan.remaining -= 1;
      const fails = plan.remaining <= 0 && plan.remaining > -(plan.inARow ?? 1);
      if (fails && plan.when === 'before') throw new Database.SqliteError('injected', plan.code);
      const result = statement.run(...values);
      if (fails) throw new Database.SqliteError('injected', plan.code);
      return result;
    };
  });
}

function intercept<T extends object>(target: T, replace: (property: string, original: unknown) => unknown): T {
  return new Proxy(target, {
    get: (_target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      const bound: unknown = typeof value === 'function' ? value.bind(target) : value;
      return typeof property === 'string' ? replace(property, bound) : bound;
    },
  });
}
