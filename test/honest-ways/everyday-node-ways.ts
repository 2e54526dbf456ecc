import { fileText } from '../support/file-text.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

/** Ordinary work on small libraries, as a careful engineer does it with Node's own runner. */
export const EVERYDAY_NODE_WAYS: RunnerWays = {
  runner: 'node-test',
  project: { 'package.json': '{ "name": "everyday", "type": "module", "scripts": { "test": "node --test" } }\n' },
  ways: [
    {
      name: 'a class that leaves a part of its work to others',
      steps: testFirst(
        [
          'test/report.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { Report } from '../src/report.js';

            class Sales extends Report {
              title() {
                return 'Sales';
              }

              rows() {
                return [['apples', 3], ['pears', 12]];
              }
            }

            test('has its title and a line for each row', () => {
              assert.equal(new Sales().render(), '# Sales\\napples: 3\\npears: 12\\n');
            });

            test('wants a title', () => {
              assert.throws(() => new Report().render(), /title is missing/);
            });
          `,
        ],
        [
          'src/report.js',
          fileText`
            export class Report {
              render() {
                const lines = [\`# \${this.title()}\`];
                for (const [name, value] of this.rows()) lines.push(\`\${name}: \${value}\`);
                return \`\${lines.join('\\n')}\\n\`;
              }

              title() {
                throw new Error('title is missing');
              }

              rows() {
                throw new Error('rows are missing');
              }
            }
          `,
        ],
      ),
    },
    {
      name: 'a new option of an old function',
      files: {
        'src/slugify.js': fileText`
          export function slugify(text) {
            return text
              .toLowerCase()
              .replace(/[^a-z0-9]+/g, '-')
              .replace(/^-|-$/g, '');
          }
        `,
        'test/slugify.test.js': fileText`
          import assert from 'node:assert/strict';
          import { test } from 'node:test';
          import { slugify } from '../src/slugify.js';

          test('joins words with a dash', () => {
            assert.equal(slugify('Hello, World!'), 'hello-world');
          });
        `,
      },
      steps: testFirst(
        [
          'test/slugify.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { slugify } from '../src/slugify.js';

            test('joins words with a dash', () => {
              assert.equal(slugify('Hello, World!'), 'hello-world');
            });

            test('joins words with the separator of the options', () => {
              assert.equal(slugify('Hello, World!', { separator: '_' }), 'hello_world');
              assert.equal(slugify('  a b  c', { separator: '.' }), 'a.b.c');
            });

            test('cuts at whole words', () => {
              assert.equal(slugify('one two three', { maxLength: 8 }), 'one-two');
              assert.equal(slugify('one two three', { maxLength: 7 }), 'one-two');
              assert.equal(slugify('one two three', { maxLength: 6 }), 'one');
            });
          `,
        ],
        [
          'src/slugify.js',
          fileText`
            export function slugify(text, { separator = '-', maxLength = Infinity } = {}) {
              const words = text
                .toLowerCase()
                .split(/[^a-z0-9]+/)
                .filter((word) => word !== '');
              let slug = '';
              for (const word of words) {
                const longer = slug === '' ? word : slug + separator + word;
                if (longer.length > maxLength) break;
                slug = longer;
              }
              return slug;
            }
          `,
        ],
      ),
    },
    {
      name: 'a wrong boundary',
      kind: 'fix',
      files: {
        'src/discount.js': fileText`
          export function discount(total) {
            if (total > 100) return 10;
            if (total > 50) return 5;
            return 0;
          }
        `,
        'test/discount.test.js': fileText`
          import assert from 'node:assert/strict';
          import { test } from 'node:test';
          import { discount } from '../src/discount.js';

          test('gives a discount on large orders', () => {
            assert.equal(discount(150), 10);
            assert.equal(discount(60), 5);
            assert.equal(discount(10), 0);
          });
        `,
      },
      steps: testFirst(
        [
          'test/discount.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { discount } from '../src/discount.js';

            test('gives a discount on large orders', () => {
              assert.equal(discount(150), 10);
              assert.equal(discount(60), 5);
              assert.equal(discount(10), 0);
            });

            test('gives the discount from the limit itself on', () => {
              assert.equal(discount(100), 10);
              assert.equal(discount(99.99), 5);
              assert.equal(discount(50), 5);
              assert.equal(discount(49.99), 0);
            });
          `,
        ],
        [
          'src/discount.js',
          fileText`
            export function discount(total) {
              if (total >= 100) return 10;
              if (total >= 50) return 5;
              return 0;
            }
          `,
        ],
      ),
    },
    {
      name: 'a parser of durations',
      steps: testFirst(
        [
          'test/duration.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { describe, it } from 'node:test';
            import { parseDuration } from '../src/duration.js';

            describe('parseDuration', () => {
              const valid = [
                ['250ms', 250],
                ['3s', 3_000],
                ['1m30s', 90_000],
                ['2h', 7_200_000],
                ['1h1m1s', 3_661_000],
              ];
              for (const [text, ms] of valid) {
                it(\`reads \${text}\`, () => assert.equal(parseDuration(text), ms));
              }

              for (const text of ['', 'abc', '3', '3x', '1m 30s', 's']) {
                it(\`refuses "\${text}"\`, () => {
                  assert.throws(() => parseDuration(text), { name: 'SyntaxError', message: \`not a duration: "\${text}"\` });
                });
              }
            });
          `,
        ],
        [
          'src/duration.js',
          fileText`
            const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

            export function parseDuration(text) {
              if (!/^(?:\d+(?:ms|s|m|h))+$/.test(text)) throw new SyntaxError(\`not a duration: "\${text}"\`);
              let total = 0;
              for (const [, amount, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g)) total += Number(amount) * UNITS[unit];
              return total;
            }
          `,
        ],
      ),
    },
    {
      name: 'months that are added to a date',
      steps: testFirst(
        [
          'test/dates.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { addMonths, daysBetween } from '../src/dates.js';

            const day = (text) => new Date(\`\${text}T00:00:00Z\`);

            test('adds months', () => {
              assert.deepEqual(addMonths(day('2024-01-15'), 1), day('2024-02-15'));
              assert.deepEqual(addMonths(day('2024-11-15'), 3), day('2025-02-15'));
              assert.deepEqual(addMonths(day('2024-03-15'), -1), day('2024-02-15'));
            });

            test('stays in the month where it has fewer days', () => {
              assert.deepEqual(addMonths(day('2024-01-31'), 1), day('2024-02-29'));
              assert.deepEqual(addMonths(day('2023-01-31'), 1), day('2023-02-28'));
              assert.deepEqual(addMonths(day('2024-08-31'), 1), day('2024-09-30'));
            });

            test('leaves its argument alone', () => {
              const start = day('2024-01-31');
              addMonths(start, 1);
              assert.deepEqual(start, day('2024-01-31'));
            });

            test('counts days', () => {
              assert.equal(daysBetween(day('2024-02-28'), day('2024-03-01')), 2);
              assert.equal(daysBetween(day('2023-02-28'), day('2023-03-01')), 1);
              assert.equal(daysBetween(day('2024-03-01'), day('2024-02-28')), -2);
            });
          `,
        ],
        [
          'src/dates.js',
          fileText`
            const DAY_MS = 24 * 60 * 60 * 1000;

            export function addMonths(date, months) {
              const result = new Date(date);
              const dayOfMonth = result.getUTCDate();
              result.setUTCDate(1);
              result.setUTCMonth(result.getUTCMonth() + months);
              const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
              result.setUTCDate(Math.min(dayOfMonth, lastDay));
              return result;
            }

            export function daysBetween(from, to) {
              return Math.round((to - from) / DAY_MS);
            }
          `,
        ],
      ),
    },
    {
      name: 'a class with private state',
      steps: testFirst(
        [
          'test/account.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { beforeEach, describe, it } from 'node:test';
            import { Account } from '../src/account.js';

            describe('Account', () => {
              let account;
              beforeEach(() => {
                account = new Account('Ada');
              });

              it('is empty at first', () => {
                assert.equal(account.balance, 0);
              });

              it('takes and gives money', () => {
                account.deposit(50);
                account.withdraw(20);
                assert.equal(account.balance, 30);
              });

              it('can be emptied', () => {
                account.deposit(50);
                account.withdraw(50);
                assert.equal(account.balance, 0);
              });

              it('gives no more than it has', () => {
                account.deposit(10);
                assert.throws(() => account.withdraw(11), /only 10 left/);
                assert.equal(account.balance, 10);
              });

              it('refuses amounts that are not positive', () => {
                assert.throws(() => account.deposit(0), RangeError);
                assert.throws(() => account.deposit(-1), RangeError);
              });
            });
          `,
        ],
        [
          'src/account.js',
          fileText`
            export class Account {
              #balance = 0;

              constructor(owner) {
                this.owner = owner;
              }

              get balance() {
                return this.#balance;
              }

              deposit(amount) {
                if (amount <= 0) throw new RangeError('the amount has to be positive');
                this.#balance += amount;
              }

              withdraw(amount) {
                if (amount > this.#balance) throw new RangeError(\`only \${this.#balance} left\`);
                this.#balance -= amount;
              }
            }
          `,
        ],
      ),
    },
    {
      name: 'an event emitter',
      steps: testFirst(
        [
          'test/download.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { once } from 'node:events';
            import { test } from 'node:test';
            import { Download } from '../src/download.js';

            test('reports progress and its end', () => {
              const download = new Download(100);
              const seen = [];
              download.on('progress', (percent) => seen.push(percent));
              download.on('done', () => seen.push('done'));
              download.receive(25);
              download.receive(50);
              download.receive(25);
              assert.deepEqual(seen, [25, 75, 100, 'done']);
            });

            test('is done once', async () => {
              const download = new Download(10);
              const done = once(download, 'done');
              setImmediate(() => download.receive(10));
              assert.deepEqual(await done, [10]);
            });

            test('refuses more than it expects', () => {
              const download = new Download(10);
              const errors = [];
              download.on('error', (error) => errors.push(error.message));
              download.receive(11);
              assert.deepEqual(errors, ['1 byte too many']);
            });
          `,
        ],
        [
          'src/download.js',
          fileText`
            import { EventEmitter } from 'node:events';

            export class Download extends EventEmitter {
              #received = 0;
              #size;

              constructor(size) {
                super();
                this.#size = size;
              }

              receive(bytes) {
                this.#received += bytes;
                const excess = this.#received - this.#size;
                if (excess > 0) {
                  this.emit('error', new Error(\`\${excess} byte\${excess === 1 ? '' : 's'} too many\`));
                  return;
                }
                this.emit('progress', Math.round((this.#received / this.#size) * 100));
                if (this.#received === this.#size) this.emit('done', this.#size);
              }
            }
          `,
        ],
      ),
    },
    {
      name: 'pages as an async iterator',
      steps: testFirst(
        [
          'test/pages.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { items } from '../src/pages.js';

            const PAGES = {
              first: { items: [1, 2], next: 'second' },
              second: { items: [3], next: 'third' },
              third: { items: [], next: null },
            };

            async function collect(iterable) {
              const found = [];
              for await (const each of iterable) found.push(each);
              return found;
            }

            test('yields the items of all pages', async () => {
              assert.deepEqual(await collect(items((cursor) => Promise.resolve(PAGES[cursor]), 'first')), [1, 2, 3]);
            });

            test('fetches a page only when it is needed', async () => {
              const fetched = [];
              const iterator = items(async (cursor) => {
                fetched.push(cursor);
                return PAGES[cursor];
              }, 'first');
              await iterator.next();
              await iterator.next();
              assert.deepEqual(fetched, ['first']);
              await iterator.next();
              assert.deepEqual(fetched, ['first', 'second']);
            });

            test('passes errors on', async () => {
              await assert.rejects(collect(items(() => Promise.reject(new Error('offline')), 'first')), /offline/);
            });
          `,
        ],
        [
          'src/pages.js',
          fileText`
            export async function* items(fetchPage, cursor) {
              for (let next = cursor; next !== null; ) {
                const page = await fetchPage(next);
                yield* page.items;
                next = page.next;
              }
            }
          `,
        ],
      ),
    },
    {
      name: 'a transform of a stream',
      steps: testFirst(
        [
          'test/lines.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { Readable } from 'node:stream';
            import { test } from 'node:test';
            import { splitLines } from '../src/lines.js';

            const linesOf = (...chunks) => Readable.from(chunks).pipe(splitLines()).toArray();

            test('splits chunks into lines', async () => {
              assert.deepEqual(await linesOf('a\nb\nc\n'), ['a', 'b', 'c']);
            });

            test('joins a line that comes in two chunks', async () => {
              assert.deepEqual(await linesOf('he', 'llo\nwor', 'ld\n'), ['hello', 'world']);
            });

            test('keeps a last line without a break', async () => {
              assert.deepEqual(await linesOf('a\nb'), ['a', 'b']);
            });

            test('takes both kinds of breaks', async () => {
              assert.deepEqual(await linesOf('a\r\nb\r\n'), ['a', 'b']);
            });
          `,
        ],
        [
          'src/lines.js',
          fileText`
            import { Transform } from 'node:stream';

            export function splitLines() {
              let rest = '';
              return new Transform({
                readableObjectMode: true,
                transform(chunk, _encoding, done) {
                  const lines = (rest + chunk.toString()).split(/\r?\n/);
                  rest = lines.pop();
                  for (const line of lines) this.push(line);
                  done();
                },
                flush(done) {
                  if (rest !== '') this.push(rest);
                  done();
                },
              });
            }
          `,
        ],
      ),
    },
    {
      name: 'attempts with a clock that the test moves',
      steps: testFirst(
        [
          'test/retry.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { afterEach, beforeEach, describe, it, mock } from 'node:test';
            import { retry } from '../src/retry.js';

            describe('retry', () => {
              beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
              afterEach(() => mock.timers.reset());

              const settle = async (ms) => {
                await Promise.resolve();
                await Promise.resolve();
                mock.timers.tick(ms);
                await Promise.resolve();
                await Promise.resolve();
              };

              it('returns what the first attempt returns', async () => {
                const action = mock.fn(async () => 'ok');
                assert.equal(await retry(action), 'ok');
                assert.equal(action.mock.callCount(), 1);
              });

              it('waits twice as long after each failure', async () => {
                let failures = 2;
                const action = mock.fn(async () => {
                  if (failures-- > 0) throw new Error('busy');
                  return 'ok';
                });
                const result = retry(action, { delayMs: 100 });
                await settle(99);
                assert.equal(action.mock.callCount(), 1);
                await settle(1);
                assert.equal(action.mock.callCount(), 2);
                await settle(199);
                assert.equal(action.mock.callCount(), 2);
                await settle(1);
                assert.equal(action.mock.callCount(), 3);
                assert.equal(await result, 'ok');
              });

              it('gives up with the last error', async () => {
                const action = mock.fn(async () => {
                  throw new Error(\`failure \${action.mock.callCount()}\`);
                });
                const result = retry(action, { attempts: 2, delayMs: 10 });
                const rejected = assert.rejects(result, /failure 1/);
                await settle(10);
                await rejected;
                assert.equal(action.mock.callCount(), 2);
              });
            });
          `,
        ],
        [
          'src/retry.js',
          fileText`
            export async function retry(action, { attempts = 3, delayMs = 100 } = {}) {
              for (let attempt = 1; ; attempt++) {
                try {
                  return await action();
                } catch (error) {
                  if (attempt >= attempts) throw error;
                  await new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** (attempt - 1)));
                }
              }
            }
          `,
        ],
      ),
    },
    {
      name: 'a cache of a module, with a time to live and a reset',
      steps: testFirst(
        [
          'test/cache.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { afterEach, beforeEach, test, mock } from 'node:test';
            import { clear, get, set } from '../src/cache.js';

            beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000 }));
            afterEach(() => {
              clear();
              mock.timers.reset();
            });

            test('keeps a value', () => {
              set('user', 'Ada', 500);
              assert.equal(get('user'), 'Ada');
            });

            test('forgets a value after its time', () => {
              set('user', 'Ada', 500);
              mock.timers.tick(499);
              assert.equal(get('user'), 'Ada');
              mock.timers.tick(1);
              assert.equal(get('user'), undefined);
            });

            test('replaces a value and its time', () => {
              set('user', 'Ada', 500);
              mock.timers.tick(400);
              set('user', 'Grace', 500);
              mock.timers.tick(400);
              assert.equal(get('user'), 'Grace');
            });

            test('knows nothing else', () => {
              assert.equal(get('other'), undefined);
            });
          `,
        ],
        [
          'src/cache.js',
          fileText`
            const entries = new Map();

            export function set(key, value, ttlMs) {
              entries.set(key, { value, expiresMs: Date.now() + ttlMs });
            }

            export function get(key) {
              const entry = entries.get(key);
              if (entry === undefined) return undefined;
              if (Date.now() >= entry.expiresMs) {
                entries.delete(key);
                return undefined;
              }
              return entry.value;
            }

            export function clear() {
              entries.clear();
            }
          `,
        ],
      ),
    },
    {
      name: 'an address that cannot be read',
      steps: testFirst(
        [
          'test/endpoint.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { endpoint } from '../src/endpoint.js';

            test('joins base and path', () => {
              assert.equal(endpoint('https://api.example.com/v1/', 'users/7'), 'https://api.example.com/v1/users/7');
              assert.equal(endpoint('https://api.example.com/v1', 'users'), 'https://api.example.com/v1/users');
            });

            test('refuses a base that is no address', () => {
              assert.throws(() => endpoint('not an address', 'users'), TypeError);
            });

            test('refuses a protocol without encryption', () => {
              assert.throws(() => endpoint('http://api.example.com', 'users'), /https/);
            });
          `,
        ],
        [
          'src/endpoint.js',
          fileText`
            export function endpoint(base, path) {
              const url = new URL(base);
              if (url.protocol !== 'https:') throw new Error('an endpoint has to use https');
              if (!url.pathname.endsWith('/')) url.pathname += '/';
              return new URL(path, url).href;
            }
          `,
        ],
      ),
    },
    {
      name: 'arguments of a command line',
      steps: testFirst(
        [
          'test/options.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { readOptions } from '../src/options.js';

            test('has defaults', () => {
              assert.deepEqual(readOptions(['in.txt']), { file: 'in.txt', verbose: false, port: 8080 });
            });

            test('reads options before and after the file', () => {
              assert.deepEqual(readOptions(['-v', 'in.txt', '--port', '3000']), {
                file: 'in.txt',
                verbose: true,
                port: 3000,
              });
              assert.deepEqual(readOptions(['--port=1', 'a', '--verbose']), { file: 'a', verbose: true, port: 1 });
            });

            test('refuses ports out of range', () => {
              assert.throws(() => readOptions(['a', '--port', '0']), /port/);
              assert.throws(() => readOptions(['a', '--port', '65536']), /port/);
              assert.equal(readOptions(['a', '--port', '65535']).port, 65_535);
              assert.throws(() => readOptions(['a', '--port', 'x']), /port/);
            });

            test('needs exactly one file', () => {
              assert.throws(() => readOptions([]), /usage/);
              assert.throws(() => readOptions(['a', 'b']), /usage/);
            });
          `,
        ],
        [
          'src/options.js',
          fileText`
            import { parseArgs } from 'node:util';

            export function readOptions(args) {
              const { values, positionals } = parseArgs({
                args,
                allowPositionals: true,
                options: {
                  verbose: { type: 'boolean', short: 'v', default: false },
                  port: { type: 'string', short: 'p', default: '8080' },
                },
              });
              if (positionals.length !== 1) throw new Error('usage: serve [-v] [--port PORT] FILE');
              const port = Number(values.port);
              if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new RangeError(\`no such port: \${values.port}\`);
              return { file: positionals[0], verbose: values.verbose, port };
            }
          `,
        ],
      ),
    },
    {
      name: 'a handler of requests',
      steps: testFirst(
        [
          'test/users.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { getUser } from '../src/users.js';

            function response() {
              return {
                statusCode: 200,
                body: undefined,
                status(code) {
                  this.statusCode = code;
                  return this;
                },
                json(body) {
                  this.body = body;
                  return this;
                },
              };
            }

            const store = { find: async (id) => (id === 7 ? { id: 7, name: 'Ada', password: 'x' } : null) };

            test('answers with the user, without the password', async () => {
              const res = response();
              await getUser(store)({ params: { id: '7' } }, res);
              assert.equal(res.statusCode, 200);
              assert.deepEqual(res.body, { id: 7, name: 'Ada' });
            });

            test('answers 404 for a user that is not there', async () => {
              const res = response();
              await getUser(store)({ params: { id: '8' } }, res);
              assert.equal(res.statusCode, 404);
              assert.deepEqual(res.body, { error: 'no user 8' });
            });

            test('answers 400 for an id that is no number', async () => {
              const res = response();
              await getUser(store)({ params: { id: 'abc' } }, res);
              assert.equal(res.statusCode, 400);
              assert.deepEqual(res.body, { error: 'id has to be a number' });
            });

            test('passes errors of the store to the next handler', async () => {
              const broken = { find: async () => { throw new Error('down'); } };
              const errors = [];
              await getUser(broken)({ params: { id: '7' } }, response(), (error) => errors.push(error.message));
              assert.deepEqual(errors, ['down']);
            });
          `,
        ],
        [
          'src/users.js',
          fileText`
            export function getUser(store) {
              return async (req, res, next) => {
                const id = Number(req.params.id);
                if (!Number.isInteger(id)) return res.status(400).json({ error: 'id has to be a number' });
                try {
                  const user = await store.find(id);
                  if (user === null) return res.status(404).json({ error: \`no user \${id}\` });
                  const { password, ...shown } = user;
                  return res.json(shown);
                } catch (error) {
                  return next(error);
                }
              };
            }
          `,
        ],
      ),
    },
    {
      name: 'a function that remembers its results',
      steps: testFirst(
        [
          'test/memoize.test.js',
          fileText`
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { memoize } from '../src/memoize.js';

            test('calls the function once for each argument', () => {
              let calls = 0;
              const square = memoize((n) => {
                calls += 1;
                return n * n;
              });
              assert.equal(square(4), 16);
              assert.equal(square(4), 16);
              assert.equal(calls, 1);
              assert.equal(square(5), 25);
              assert.equal(calls, 2);
            });

            test('remembers undefined', () => {
              let calls = 0;
              const nothing = memoize(() => {
                calls += 1;
              });
              nothing('a');
              nothing('a');
              assert.equal(calls, 1);
            });

            test('takes a key of several arguments', () => {
              const add = memoize((a, b) => a + b, (a, b) => \`\${a},\${b}\`);
              assert.equal(add(1, 2), 3);
              assert.equal(add(1, 3), 4);
            });

            test('can be cleared', () => {
              let calls = 0;
              const count = memoize(() => ++calls);
              assert.equal(count('a'), 1);
              count.clear();
              assert.equal(count('a'), 2);
            });
          `,
        ],
        [
          'src/memoize.js',
          fileText`
            export function memoize(action, keyOf = (first) => first) {
              const results = new Map();
              const memoized = (...args) => {
                const key = keyOf(...args);
                if (!results.has(key)) results.set(key, action(...args));
                return results.get(key);
              };
              memoized.clear = () => results.clear();
              return memoized;
            }
          `,
        ],
      ),
    },
  ],
};
