import { fileText } from '../support/file-text.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

/** Ordinary work on small modules in TypeScript. */
export const EVERYDAY_VITEST_WAYS: RunnerWays = {
  runner: 'vitest',
  project: { 'package.json': '{ "name": "everyday", "type": "module", "scripts": { "test": "vitest run" } }\n' },
  ways: [
    {
      name: 'a builder of queries',
      steps: testFirst(
        [
          'src/query.test.ts',
          fileText`
            import { describe, expect, it } from 'vitest';
            import { select } from './query.ts';

            describe('select', () => {
              it('takes all columns by default', () => {
                expect(select('users').toSql()).toEqual({ text: 'SELECT * FROM users', values: [] });
              });

              it('takes the columns that are named', () => {
                expect(select('users', 'id', 'name').toSql().text).toBe('SELECT id, name FROM users');
              });

              it('numbers its parameters', () => {
                const query = select('users').where('age', '>=', 18).where('name', '=', 'Ada');
                expect(query.toSql()).toEqual({
                  text: 'SELECT * FROM users WHERE age >= $1 AND name = $2',
                  values: [18, 'Ada'],
                });
              });

              it('orders and limits', () => {
                expect(select('users').orderBy('age', 'desc').limit(10).toSql()).toEqual({
                  text: 'SELECT * FROM users ORDER BY age DESC LIMIT 10',
                  values: [],
                });
              });

              it('leaves the query alone that it begins with', () => {
                const all = select('users');
                all.where('age', '>', 3);
                expect(all.toSql().text).toBe('SELECT * FROM users');
              });

              it('refuses names that are no identifiers', () => {
                expect(() => select('users; DROP TABLE users')).toThrow(/identifier/);
                expect(() => select('users').where('a b', '=', 1)).toThrow(/identifier/);
              });
            });
          `,
        ],
        [
          'src/query.ts',
          fileText`
            type Comparison = '=' | '<' | '<=' | '>' | '>=';

            interface Parts {
              readonly table: string;
              readonly columns: readonly string[];
              readonly conditions: readonly { readonly column: string; readonly comparison: Comparison; readonly value: unknown }[];
              readonly order?: string;
              readonly limit?: number;
            }

            export class Query {
              readonly #parts: Parts;

              constructor(parts: Parts) {
                this.#parts = parts;
              }

              where(column: string, comparison: Comparison, value: unknown): Query {
                const condition = { column: identifier(column), comparison, value };
                return new Query({ ...this.#parts, conditions: [...this.#parts.conditions, condition] });
              }

              orderBy(column: string, direction: 'asc' | 'desc' = 'asc'): Query {
                return new Query({ ...this.#parts, order: \`\${identifier(column)} \${direction.toUpperCase()}\` });
              }

              limit(limit: number): Query {
                return new Query({ ...this.#parts, limit });
              }

              toSql(): { text: string; values: unknown[] } {
                const { table, columns, conditions, order, limit } = this.#parts;
                let text = \`SELECT \${columns.length === 0 ? '*' : columns.join(', ')} FROM \${table}\`;
                if (conditions.length > 0) {
                  text += \` WHERE \${conditions.map(({ column, comparison }, index) => \`\${column} \${comparison} $\${index + 1}\`).join(' AND ')}\`;
                }
                if (order !== undefined) text += \` ORDER BY \${order}\`;
                if (limit !== undefined) text += \` LIMIT \${limit}\`;
                return { text, values: conditions.map(({ value }) => value) };
              }
            }

            export function select(table: string, ...columns: string[]): Query {
              return new Query({ table: identifier(table), columns: columns.map(identifier), conditions: [] });
            }

            function identifier(name: string): string {
              if (!/^[a-z_][a-z0-9_]*$/i.test(name)) throw new Error(\`not an identifier: \${name}\`);
              return name;
            }
          `,
        ],
      ),
    },
    {
      name: 'a file that is read from a temporary directory',
      steps: testFirst(
        [
          'test/config.test.ts',
          fileText`
            import { mkdtemp, rm, writeFile } from 'node:fs/promises';
            import { tmpdir } from 'node:os';
            import { join } from 'node:path';
            import { afterEach, beforeEach, expect, test } from 'vitest';
            import { loadConfig } from '../src/config.ts';

            let directory: string;
            beforeEach(async () => {
              directory = await mkdtemp(join(tmpdir(), 'config-'));
            });
            afterEach(async () => {
              await rm(directory, { recursive: true });
            });

            test('reads a configuration', async () => {
              const path = join(directory, 'config.json');
              await writeFile(path, '{ "port": 3000, "host": "0.0.0.0" }');
              expect(await loadConfig(path)).toEqual({ port: 3000, host: '0.0.0.0' });
            });

            test('has defaults for what is not there', async () => {
              const path = join(directory, 'config.json');
              await writeFile(path, '{ "port": 3000 }');
              expect(await loadConfig(path)).toEqual({ port: 3000, host: 'localhost' });
            });

            test('has defaults where there is no file', async () => {
              expect(await loadConfig(join(directory, 'missing.json'))).toEqual({ port: 8080, host: 'localhost' });
            });

            test('names the file that is no JSON', async () => {
              const path = join(directory, 'broken.json');
              await writeFile(path, '{');
              await expect(loadConfig(path)).rejects.toThrow(/broken\.json is not valid JSON/);
            });
          `,
        ],
        [
          'src/config.ts',
          fileText`
            import { readFile } from 'node:fs/promises';

            export interface Config {
              readonly port: number;
              readonly host: string;
            }

            const DEFAULTS: Config = { port: 8080, host: 'localhost' };

            export async function loadConfig(path: string): Promise<Config> {
              let text: string;
              try {
                text = await readFile(path, 'utf8');
              } catch (error) {
                if ((error as NodeJS.ErrnoException).code === 'ENOENT') return DEFAULTS;
                throw error;
              }
              try {
                return { ...DEFAULTS, ...(JSON.parse(text) as Partial<Config>) };
              } catch (cause) {
                throw new Error(\`\${path} is not valid JSON\`, { cause });
              }
            }
          `,
        ],
      ),
    },
    {
      name: 'a configuration of environment variables',
      steps: testFirst(
        [
          'test/env.test.ts',
          fileText`
            import { afterEach, describe, expect, it, vi } from 'vitest';
            import { readSettings } from '../src/settings.ts';

            afterEach(() => {
              vi.unstubAllEnvs();
            });

            describe('readSettings', () => {
              it('reads variables', () => {
                vi.stubEnv('APP_PORT', '4000');
                vi.stubEnv('APP_DEBUG', 'true');
                expect(readSettings()).toEqual({ port: 4000, debug: true });
              });

              it('has defaults', () => {
                vi.stubEnv('APP_PORT', undefined);
                vi.stubEnv('APP_DEBUG', undefined);
                expect(readSettings()).toEqual({ port: 3000, debug: false });
              });

              it('takes only "true" and "1" for true', () => {
                vi.stubEnv('APP_DEBUG', '1');
                expect(readSettings().debug).toBe(true);
                vi.stubEnv('APP_DEBUG', 'no');
                expect(readSettings().debug).toBe(false);
              });

              it('refuses a port that is no number', () => {
                vi.stubEnv('APP_PORT', 'abc');
                expect(() => readSettings()).toThrow('APP_PORT has to be a number, not "abc"');
              });
            });
          `,
        ],
        [
          'src/settings.ts',
          fileText`
            export interface Settings {
              readonly port: number;
              readonly debug: boolean;
            }

            export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
              const port = Number(env['APP_PORT'] ?? 3000);
              if (Number.isNaN(port)) throw new Error(\`APP_PORT has to be a number, not "\${env['APP_PORT']}"\`);
              return { port, debug: ['true', '1'].includes(env['APP_DEBUG'] ?? '') };
            }
          `,
        ],
      ),
    },
    {
      name: 'errors with codes',
      steps: testFirst(
        [
          'test/errors.test.ts',
          fileText`
            import { expect, it } from 'vitest';
            import { AppError, NotFoundError, statusOf } from '../src/errors.ts';

            it('has a name, a code and a message', () => {
              const error = new NotFoundError('user', 7);
              expect(error).toBeInstanceOf(AppError);
              expect(error).toBeInstanceOf(Error);
              expect(error.name).toBe('NotFoundError');
              expect(error.code).toBe('NOT_FOUND');
              expect(error.message).toBe('no user with id 7');
            });

            it('keeps its cause', () => {
              const cause = new Error('socket closed');
              expect(new AppError('UNAVAILABLE', 'try again', { cause }).cause).toBe(cause);
            });

            it('knows the status of each code', () => {
              expect(statusOf(new NotFoundError('user', 7))).toBe(404);
              expect(statusOf(new AppError('UNAVAILABLE', 'try again'))).toBe(503);
              expect(statusOf(new Error('anything'))).toBe(500);
            });
          `,
        ],
        [
          'src/errors.ts',
          fileText`
            export type ErrorCode = 'NOT_FOUND' | 'UNAVAILABLE';

            const STATUS: Readonly<Record<ErrorCode, number>> = { NOT_FOUND: 404, UNAVAILABLE: 503 };

            export class AppError extends Error {
              readonly code: ErrorCode;

              constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
                super(message, options);
                this.name = new.target.name;
                this.code = code;
              }
            }

            export class NotFoundError extends AppError {
              constructor(kind: string, id: number) {
                super('NOT_FOUND', \`no \${kind} with id \${id}\`);
              }
            }

            export function statusOf(error: Error): number {
              return error instanceof AppError ? STATUS[error.code] : 500;
            }
          `,
        ],
      ),
    },
    {
      name: 'a table of two numbers',
      steps: testFirst(
        [
          'test/vat.test.ts',
          fileText`
            import { expect, it } from 'vitest';
            import { gross } from '../src/vat.ts';

            it('adds the normal rate', () => {
              expect(gross(100, 'normal')).toBe(119);
              expect(gross(250, 'normal')).toBe(297.5);
            });

            it('adds the reduced rate', () => {
              expect(gross(100, 'reduced')).toBe(107);
            });

            it('rounds to cents', () => {
              expect(gross(0.99, 'normal')).toBe(1.18);
            });
          `,
        ],
        [
          'src/vat.ts',
          fileText`
            const RATES = { normal: 19, reduced: 7 } as const;

            export function gross(net: number, rate: keyof typeof RATES): number {
              return Math.round(net * (100 + RATES[rate])) / 100;
            }
          `,
        ],
      ),
    },
    {
      name: 'a registry of a module with a reset',
      steps: testFirst(
        [
          'test/handlers.test.ts',
          fileText`
            import { beforeEach, describe, expect, it, vi } from 'vitest';
            import { handle, register, resetHandlers } from '../src/handlers.ts';

            describe('handlers', () => {
              beforeEach(() => resetHandlers());

              it('calls the handler of a type', () => {
                const onSave = vi.fn((value: number) => value + 1);
                register('save', onSave);
                expect(handle('save', 4)).toBe(5);
                expect(onSave).toHaveBeenCalledTimes(1);
                expect(onSave).toHaveBeenCalledWith(4);
              });

              it('refuses a second handler of a type', () => {
                register('save', (value) => value);
                expect(() => register('save', (value) => value)).toThrow('save has a handler');
              });

              it('refuses a type without a handler', () => {
                expect(() => handle('load', 1)).toThrow('no handler for load');
              });
            });
          `,
        ],
        [
          'src/handlers.ts',
          fileText`
            type Handler = (value: number) => number;

            const handlers = new Map<string, Handler>();

            export function register(type: string, handler: Handler): void {
              if (handlers.has(type)) throw new Error(\`\${type} has a handler\`);
              handlers.set(type, handler);
            }

            export function handle(type: string, value: number): number {
              const handler = handlers.get(type);
              if (handler === undefined) throw new Error(\`no handler for \${type}\`);
              return handler(value);
            }

            /** For tests. */
            export function resetHandlers(): void {
              handlers.clear();
            }
          `,
        ],
      ),
    },
  ],
};
