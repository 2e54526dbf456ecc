import { PROJECTS } from '../attacks/cheats/cheat.ts';
import { fileText } from '../support/file-text.ts';
import { testFirst } from './way.ts';
import type { HonestWay, RunnerWays } from './way.ts';

const NODE_HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

const NODE_WAYS: readonly HonestWay[] = [
  {
    name: 'a codec, by examples and there and back again',
    steps: testFirst(
      [
        'test/runs.test.js',
        NODE_HEAD +
          fileText`
            import { decode, encode } from '../src/runs.js';

            test('counts what comes again', () => {
              assert.equal(encode('aaab'), '3a1b');
              assert.equal(encode(''), '');
            });

            test('there and back again', () => {
              for (const text of ['', 'a', 'aabbbc', 'zzzzzzzzzzzz']) assert.equal(decode(encode(text)), text);
            });
          `,
      ],
      [
        'src/runs.js',
        fileText`
          export function encode(text) {
            return text.replace(/(.)\1*/g, (run, letter) => run.length + letter);
          }

          export function decode(text) {
            return text.replace(/(\d+)(\D)/g, (_, count, letter) => letter.repeat(Number(count)));
          }
        `,
      ],
    ),
  },
  {
    name: 'an order of versions, by sign',
    steps: testFirst(
      [
        'test/versions.test.js',
        NODE_HEAD +
          fileText`
            import { compareVersions } from '../src/versions.js';

            test('orders by numbers, and not by letters', () => {
              assert.ok(compareVersions('1.2.0', '1.10.0') < 0);
              assert.ok(compareVersions('2.0.0', '1.99.99') > 0);
              assert.equal(compareVersions('1.2.3', '1.2.3'), 0);
            });

            test('sorts', () => {
              assert.deepEqual(['1.10.0', '1.2.0', '0.9.9'].sort(compareVersions), ['0.9.9', '1.2.0', '1.10.0']);
            });
          `,
      ],
      [
        'src/versions.js',
        fileText`
          export function compareVersions(a, b) {
            const left = a.split('.').map(Number);
            const right = b.split('.').map(Number);
            for (let place = 0; place < 3; place += 1) {
              if (left[place] !== right[place]) return left[place] - right[place];
            }
            return 0;
          }
        `,
      ],
    ),
  },
  {
    name: 'a cache that forgets what was used least',
    steps: testFirst(
      [
        'test/lru.test.js',
        NODE_HEAD +
          fileText`
            import { Lru } from '../src/lru.js';

            test('forgets the oldest', () => {
              const cache = new Lru(2);
              cache.set('a', 1);
              cache.set('b', 2);
              cache.set('c', 3);
              assert.equal(cache.get('a'), undefined);
              assert.equal(cache.get('c'), 3);
            });

            test('a look makes it new', () => {
              const cache = new Lru(2);
              cache.set('a', 1);
              cache.set('b', 2);
              assert.equal(cache.get('a'), 1);
              cache.set('c', 3);
              assert.equal(cache.get('b'), undefined);
              assert.equal(cache.size, 2);
            });
          `,
      ],
      [
        'src/lru.js',
        fileText`
          export class Lru {
            #entries = new Map();
            #capacity;

            constructor(capacity) {
              this.#capacity = capacity;
            }

            get size() {
              return this.#entries.size;
            }

            get(key) {
              if (!this.#entries.has(key)) return undefined;
              const value = this.#entries.get(key);
              this.#entries.delete(key);
              this.#entries.set(key, value);
              return value;
            }

            set(key, value) {
              this.#entries.delete(key);
              this.#entries.set(key, value);
              if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value);
            }
          }
        `,
      ],
    ),
  },
  {
    name: 'functions in a row, and settings that are merged',
    steps: testFirst(
      [
        'test/config.test.js',
        NODE_HEAD +
          fileText`
            import { merge, pipe } from '../src/config.js';

            test('the later settings win, at every depth', () => {
              const base = { log: { level: 'info', file: 'a.log' }, tags: ['x'] };
              assert.deepEqual(merge(base, { log: { level: 'debug' }, tags: ['y'] }), {
                log: { level: 'debug', file: 'a.log' },
                tags: ['y'],
              });
              assert.deepEqual(base, { log: { level: 'info', file: 'a.log' }, tags: ['x'] });
            });

            test('hands each result on', () => {
              const run = pipe(
                (n) => n + 1,
                (n) => n * 2,
              );
              assert.equal(run(3), 8);
              assert.equal(pipe()(5), 5);
            });
          `,
      ],
      [
        'src/config.js',
        fileText`
          const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

          export function merge(base, changes) {
            const merged = { ...base };
            for (const [key, value] of Object.entries(changes)) {
              merged[key] = isObject(value) && isObject(base[key]) ? merge(base[key], value) : value;
            }
            return merged;
          }

          export function pipe(...steps) {
            return (value) => steps.reduce((result, step) => step(result), value);
          }
        `,
      ],
    ),
  },
  {
    name: 'tasks in the order of what they need',
    steps: testFirst(
      [
        'test/order.test.js',
        NODE_HEAD +
          fileText`
            import { order } from '../src/order.js';

            test('what is needed comes first', () => {
              assert.deepEqual(order({ app: ['lib', 'log'], lib: ['log'], log: [] }), ['log', 'lib', 'app']);
            });

            test('a circle is an error that names it', () => {
              assert.throws(() => order({ a: ['b'], b: ['a'] }), { message: 'circle: a -> b -> a' });
            });
          `,
      ],
      [
        'src/order.js',
        fileText`
          export function order(needs) {
            const done = [];
            const visit = (name, path) => {
              if (path.includes(name)) throw new Error('circle: ' + [...path, name].join(' -> '));
              if (done.includes(name)) return;
              for (const each of needs[name]) visit(each, [...path, name]);
              done.push(name);
            };
            for (const name of Object.keys(needs)) visit(name, []);
            return done;
          }
        `,
      ],
    ),
  },
];

const VITEST_WAYS: readonly HonestWay[] = [
  {
    name: 'rows of a file of values, with quotes',
    steps: testFirst(
      [
        'test/csv.test.js',
        fileText`
          import { describe, expect, it } from 'vitest';
          import { parseCsv } from '../src/csv.js';

          describe('parseCsv', () => {
            it.each([
              ['a,b', [['a', 'b']]],
              ['a\nb', [['a'], ['b']]],
              ['"a,b",c', [['a,b', 'c']]],
              ['"say ""hi"""', [['say "hi"']]],
            ])('reads %j', (text, rows) => {
              expect(parseCsv(text)).toEqual(rows);
            });

            it('refuses a quote that does not end', () => {
              expect(() => parseCsv('"a')).toThrow('quote without an end in row 1');
            });
          });
        `,
      ],
      [
        'src/csv.js',
        fileText`
          export function parseCsv(text) {
            const rows = [[]];
            let cell = '';
            let quoted = false;
            for (let at = 0; at < text.length; at += 1) {
              const letter = text[at];
              if (quoted) {
                if (letter !== '"') cell += letter;
                else if (text[at + 1] === '"') {
                  cell += '"';
                  at += 1;
                } else quoted = false;
              } else if (letter === '"') quoted = true;
              else if (letter === ',') {
                rows.at(-1).push(cell);
                cell = '';
              } else if (letter === '\n') {
                rows.at(-1).push(cell);
                cell = '';
                rows.push([]);
              } else cell += letter;
            }
            if (quoted) throw new Error('quote without an end in row ' + rows.length);
            rows.at(-1).push(cell);
            return rows;
          }
        `,
      ],
    ),
  },
  {
    name: 'a reducer of actions',
    steps: testFirst(
      [
        'src/todos.test.ts',
        fileText`
          import { describe, expect, it } from 'vitest';
          import { reduce } from './todos.ts';
          import type { State } from './todos.ts';

          const STATE: State = { todos: [{ id: 1, text: 'milk', done: false }], nextId: 2 };

          describe('reduce', () => {
            it('adds with the next id', () => {
              expect(reduce(STATE, { type: 'add', text: 'bread' })).toEqual({
                todos: [
                  { id: 1, text: 'milk', done: false },
                  { id: 2, text: 'bread', done: false },
                ],
                nextId: 3,
              });
            });

            it('toggles one', () => {
              const once = reduce(STATE, { type: 'toggle', id: 1 });
              expect(once.todos[0]?.done).toBe(true);
              expect(reduce(once, { type: 'toggle', id: 1 })).toEqual(STATE);
            });

            it('clears what is done', () => {
              const done = reduce(STATE, { type: 'toggle', id: 1 });
              expect(reduce(done, { type: 'clear' })).toEqual({ todos: [], nextId: 2 });
            });
          });
        `,
      ],
      [
        'src/todos.ts',
        fileText`
          export interface Todo {
            readonly id: number;
            readonly text: string;
            readonly done: boolean;
          }

          export interface State {
            readonly todos: readonly Todo[];
            readonly nextId: number;
          }

          export type Action =
            { readonly type: 'add'; readonly text: string } | { readonly type: 'toggle'; readonly id: number } | { readonly type: 'clear' };

          export function reduce(state: State, action: Action): State {
            switch (action.type) {
              case 'add': {
                const todo = { id: state.nextId, text: action.text, done: false };
                return { todos: [...state.todos, todo], nextId: state.nextId + 1 };
              }
              case 'toggle':
                return {
                  ...state,
                  todos: state.todos.map((todo) => (todo.id === action.id ? { ...todo, done: !todo.done } : todo)),
                };
              case 'clear':
                return { ...state, todos: state.todos.filter(({ done }) => !done) };
            }
          }
        `,
      ],
    ),
  },
];

const JEST_WAYS: readonly HonestWay[] = [
  {
    name: 'calls that wait until it is quiet',
    steps: testFirst(
      [
        'test/debounce.test.js',
        fileText`
          const { debounce } = require('../src/debounce');

          beforeEach(() => jest.useFakeTimers());
          afterEach(() => jest.useRealTimers());

          test('calls once, with the last arguments', () => {
            const save = jest.fn();
            const later = debounce(save, 100);
            later('a');
            jest.advanceTimersByTime(99);
            later('b');
            jest.advanceTimersByTime(99);
            expect(save).not.toHaveBeenCalled();
            jest.advanceTimersByTime(1);
            expect(save).toHaveBeenCalledTimes(1);
            expect(save).toHaveBeenCalledWith('b');
          });

          test('can be given up', () => {
            const save = jest.fn();
            const later = debounce(save, 100);
            later('a');
            later.cancel();
            jest.advanceTimersByTime(200);
            expect(save).not.toHaveBeenCalled();
          });
        `,
      ],
      [
        'src/debounce.js',
        fileText`
          exports.debounce = (callback, waitMs) => {
            let timer;
            const debounced = (...args) => {
              clearTimeout(timer);
              timer = setTimeout(() => callback(...args), waitMs);
            };
            debounced.cancel = () => clearTimeout(timer);
            return debounced;
          };
        `,
      ],
    ),
  },
];

const MOCHA_WAYS: readonly HonestWay[] = [
  {
    name: 'a queue that runs a limited number at a time',
    steps: testFirst(
      [
        'test/queue.js',
        fileText`
          const assert = require('node:assert');
          const { Queue } = require('../src/queue');

          describe('Queue', () => {
            it('runs at most two at a time, in order', async () => {
              const queue = new Queue(2);
              let running = 0;
              let most = 0;
              const task = (value) => async () => {
                running += 1;
                most = Math.max(most, running);
                await new Promise((resolve) => setImmediate(resolve));
                running -= 1;
                return value;
              };
              const results = await Promise.all(['a', 'b', 'c', 'd'].map((value) => queue.run(task(value))));
              assert.deepEqual(results, ['a', 'b', 'c', 'd']);
              assert.equal(most, 2);
            });

            it('goes on after an error', async () => {
              const queue = new Queue(1);
              await assert.rejects(
                queue.run(async () => {
                  throw new Error('bad');
                }),
                /bad/,
              );
              assert.equal(await queue.run(async () => 7), 7);
            });
          });
        `,
      ],
      [
        'src/queue.js',
        fileText`
          exports.Queue = class Queue {
            constructor(limit) {
              this.limit = limit;
              this.running = 0;
              this.waiting = [];
            }

            async run(task) {
              if (this.running >= this.limit) await new Promise((resolve) => this.waiting.push(resolve));
              this.running += 1;
              try {
                return await task();
              } finally {
                this.running -= 1;
                const next = this.waiting.shift();
                if (next) next();
              }
            }
          };
        `,
      ],
    ),
  },
];

const PYTEST_WAYS: readonly HonestWay[] = [
  {
    name: 'a store in a database of its own',
    steps: testFirst(
      [
        'test_notes.py',
        fileText`
          import sqlite3

          import pytest
          from notes import Notes


          @pytest.fixture
          def notes():
              connection = sqlite3.connect(":memory:")
              yield Notes(connection)
              connection.close()


          def test_finds_what_was_added(notes):
              notes.add("shopping", "milk")
              notes.add("work", "report")
              assert notes.find("milk") == [("shopping", "milk")]


          def test_the_newest_comes_first(notes):
              notes.add("one", "tea")
              notes.add("two", "tea and cake")
              assert [title for title, _ in notes.find("tea")] == ["two", "one"]


          def test_a_percent_sign_is_only_itself(notes):
              notes.add("sale", "50% off")
              notes.add("other", "500 off")
              assert notes.find("50%") == [("sale", "50% off")]
        `,
      ],
      [
        'notes.py',
        fileText`
          class Notes:
              def __init__(self, connection):
                  self._connection = connection
                  connection.execute(
                      "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT)"
                  )

              def add(self, title, body):
                  self._connection.execute(
                      "INSERT INTO notes (title, body) VALUES (?, ?)", (title, body)
                  )

              def find(self, words):
                  rows = self._connection.execute(
                      "SELECT title, body FROM notes WHERE instr(body, ?) > 0 ORDER BY id DESC",
                      (words,),
                  )
                  return rows.fetchall()
        `,
      ],
    ),
  },
  {
    name: 'a wrong last page',
    kind: 'fix',
    files: {
      'pages.py': fileText`
        def page(items, number, size=10):
            start = number * size
            return {
                "items": items[start : start + size],
                "pages": len(items) // size,
                "last": number == len(items) // size,
            }
      `,
      'test_pages.py': fileText`
        from pages import page


        def test_first_page():
            assert page(list(range(25)), 0)["items"] == list(range(10))
      `,
    },
    steps: testFirst(
      [
        'test_pages.py',
        fileText`
          import pytest
          from pages import page


          def test_first_page():
              assert page(list(range(25)), 0)["items"] == list(range(10))


          @pytest.mark.parametrize(("count", "pages"), [(0, 0), (1, 1), (10, 1), (11, 2), (25, 3)])
          def test_counts_pages(count, pages):
              assert page(list(range(count)), 0)["pages"] == pages


          def test_knows_the_last_page():
              items = list(range(20))
              assert not page(items, 0)["last"]
              assert page(items, 1)["last"]
        `,
      ],
      [
        'pages.py',
        fileText`
          def page(items, number, size=10):
              start = number * size
              pages = -(-len(items) // size)
              return {
                  "items": items[start : start + size],
                  "pages": pages,
                  "last": number + 1 >= pages,
              }
        `,
      ],
    ),
  },
  {
    name: 'something by chance, within its bounds',
    steps: testFirst(
      [
        'test_backoff.py',
        fileText`
          import random

          from backoff import delays


          def test_doubles_without_chance():
              assert delays(4, base=1, jitter=0) == [1, 2, 4, 8]


          def test_is_bounded():
              assert delays(4, base=1, jitter=0, most=3) == [1, 2, 3, 3]


          def test_chance_stays_within_its_part():
              for seed in range(20):
                  for plain, delay in zip(
                      [1, 2, 4], delays(3, base=1, jitter=0.5, rng=random.Random(seed)), strict=True
                  ):
                      assert plain <= delay <= plain * 1.5
        `,
      ],
      [
        'backoff.py',
        fileText`
          import random


          def delays(count, base, jitter, most=None, rng=random):
              result = []
              for attempt in range(count):
                  delay = base * 2**attempt
                  if most is not None:
                      delay = min(delay, most)
                  result.append(delay + rng.uniform(0, jitter * delay))
              return result
        `,
      ],
    ),
  },
  {
    name: 'lines of a log that are read lazily',
    steps: testFirst(
      [
        'test_logs.py',
        fileText`
          from logs import errors, parse


          def test_parses_a_line():
              assert parse("2024-05-01 ERROR disk full") == ("2024-05-01", "ERROR", "disk full")


          def test_what_is_no_line_is_nothing():
              assert parse("garbage") is None


          def test_errors_of_lines():
              lines = ["2024-05-01 INFO up", "", "2024-05-02 ERROR down", "2024-05-03 ERROR out"]
              assert list(errors(lines)) == ["down", "out"]


          def test_takes_no_more_than_it_needs():
              def endless():
                  while True:
                      yield "2024-05-02 ERROR again"

              assert next(errors(endless())) == "again"
        `,
      ],
      [
        'logs.py',
        fileText`
          import re

          LINE = re.compile(r"(?P<day>\d{4}-\d\d-\d\d) (?P<level>[A-Z]+) (?P<words>.+)")


          def parse(line):
              match = LINE.fullmatch(line)
              return None if match is None else (match["day"], match["level"], match["words"])


          def errors(lines):
              for line in lines:
                  entry = parse(line)
                  if entry is not None and entry[1] == "ERROR":
                      yield entry[2]
        `,
      ],
    ),
  },
];

const UNITTEST_WAYS: readonly HonestWay[] = [
  {
    name: 'a report by mail, with the way out replaced',
    steps: testFirst(
      [
        'test_report.py',
        fileText`
          import unittest
          from unittest import mock

          from report import send_report


          class SendReport(unittest.TestCase):
              def test_sends_the_sum(self):
                  smtp = mock.Mock()
                  self.assertEqual(send_report([3, 4], "ada@example.com", smtp), 1)
                  smtp.send.assert_called_once_with("ada@example.com", "2 sales, 7 in total")

              def test_sends_nothing_of_nothing(self):
                  smtp = mock.Mock()
                  self.assertEqual(send_report([], "ada@example.com", smtp), 0)
                  smtp.send.assert_not_called()

              def test_tries_again_once(self):
                  smtp = mock.Mock()
                  smtp.send.side_effect = [ConnectionError("busy"), None]
                  self.assertEqual(send_report([5], "ada@example.com", smtp), 2)
        `,
      ],
      [
        'report.py',
        fileText`
          def send_report(sales, address, smtp):
              if not sales:
                  return 0
              words = f"{len(sales)} sales, {sum(sales)} in total"
              try:
                  smtp.send(address, words)
              except ConnectionError:
                  smtp.send(address, words)
                  return 2
              return 1
        `,
      ],
    ),
  },
];

const GO_WAYS: readonly HonestWay[] = [
  {
    name: 'an error that can be asked for, and a table',
    steps: testFirst(
      [
        'port_test.go',
        fileText`
          package shop

          import (
          	"errors"
          	"testing"
          )

          func TestPort(t *testing.T) {
          	tests := map[string]struct {
          		text string
          		want int
          	}{
          		"smallest": {"1", 1},
          		"usual":    {"8080", 8080},
          		"largest":  {"65535", 65535},
          	}
          	for name, tt := range tests {
          		t.Run(name, func(t *testing.T) {
          			got, err := Port(tt.text)
          			if err != nil {
          				t.Fatalf("Port(%q): %v", tt.text, err)
          			}
          			if got != tt.want {
          				t.Errorf("Port(%q) = %d, want %d", tt.text, got, tt.want)
          			}
          		})
          	}
          }

          func TestPortRefuses(t *testing.T) {
          	for _, text := range []string{"", "x", "0", "65536", "-1"} {
          		if _, err := Port(text); !errors.Is(err, ErrPort) {
          			t.Errorf("Port(%q): %v", text, err)
          		}
          	}
          }
        `,
      ],
      [
        'port.go',
        fileText`
          package shop

          import (
          	"errors"
          	"fmt"
          	"strconv"
          )

          // ErrPort is the reason for every text that is no port.
          var ErrPort = errors.New("no port")

          // Port reads a port.
          func Port(text string) (int, error) {
          	port, err := strconv.Atoi(text)
          	if err != nil || port < 1 || port > 65535 {
          		return 0, fmt.Errorf("%q: %w", text, ErrPort)
          	}
          	return port, nil
          }
        `,
      ],
    ),
  },
  {
    name: 'a handler, with a recorder',
    steps: testFirst(
      [
        'hello_test.go',
        fileText`
          package shop

          import (
          	"net/http"
          	"net/http/httptest"
          	"testing"
          )

          func TestHello(t *testing.T) {
          	recorder := httptest.NewRecorder()
          	Hello(recorder, httptest.NewRequest(http.MethodGet, "/?name=Ada", nil))
          	if recorder.Code != http.StatusOK || recorder.Body.String() != "Hello, Ada!\n" {
          		t.Errorf("got %d %q", recorder.Code, recorder.Body.String())
          	}
          }

          func TestHelloWithoutName(t *testing.T) {
          	recorder := httptest.NewRecorder()
          	Hello(recorder, httptest.NewRequest(http.MethodGet, "/", nil))
          	if recorder.Code != http.StatusBadRequest {
          		t.Errorf("got %d", recorder.Code)
          	}
          }
        `,
      ],
      [
        'hello.go',
        fileText`
          package shop

          import (
          	"fmt"
          	"net/http"
          )

          // Hello greets by name.
          func Hello(w http.ResponseWriter, r *http.Request) {
          	name := r.URL.Query().Get("name")
          	if name == "" {
          		http.Error(w, "no name", http.StatusBadRequest)
          		return
          	}
          	fmt.Fprintf(w, "Hello, %s!\n", name)
          }
        `,
      ],
    ),
  },
];

const CARGO_WAYS: readonly HonestWay[] = [
  {
    name: 'a type that is read from text',
    steps: testFirst(
      [
        'tests/colour.rs',
        fileText`
          use shop::{Colour, ColourError};

          #[test]
          fn reads_six_digits() {
              let orange = Colour {
                  red: 255,
                  green: 128,
                  blue: 0,
              };
              assert_eq!("#ff8000".parse(), Ok(orange));
          }

          #[test]
          fn refuses_what_is_none() {
              assert_eq!("ff8000".parse::<Colour>(), Err(ColourError::NoHash));
              assert_eq!("#ff80".parse::<Colour>(), Err(ColourError::Length(4)));
              assert_eq!("#gg8000".parse::<Colour>(), Err(ColourError::Digit));
          }
        `,
      ],
      [
        'src/lib.rs',
        fileText`
          use std::str::FromStr;

          pub fn add(a: i32, b: i32) -> i32 {
              a + b
          }

          #[derive(Debug, Clone, Copy, PartialEq, Eq)]
          pub struct Colour {
              pub red: u8,
              pub green: u8,
              pub blue: u8,
          }

          #[derive(Debug, PartialEq, Eq)]
          pub enum ColourError {
              NoHash,
              Length(usize),
              Digit,
          }

          impl FromStr for Colour {
              type Err = ColourError;

              fn from_str(text: &str) -> Result<Self, Self::Err> {
                  let digits = text.strip_prefix('#').ok_or(ColourError::NoHash)?;
                  if digits.len() != 6 {
                      return Err(ColourError::Length(digits.len()));
                  }
                  let value = u32::from_str_radix(digits, 16).map_err(|_| ColourError::Digit)?;
                  Ok(Colour {
                      red: (value >> 16) as u8,
                      green: (value >> 8) as u8,
                      blue: value as u8,
                  })
              }
          }
        `,
      ],
    ),
  },
];

const PHP_WAYS: readonly HonestWay[] = [
  {
    name: 'an amount of money, and a case added to an old file',
    files: {
      'src/Money.php': fileText`
        <?php

        final class Money
        {
            public function __construct(public readonly int $cents)
            {
            }

            public function plus(Money $other): Money
            {
                return new Money($this->cents + $other->cents);
            }
        }
      `,
      'tests/MoneyTest.php': fileText`
        <?php
        use PHPUnit\Framework\TestCase;

        final class MoneyTest extends TestCase
        {
            public function testAdds(): void
            {
                $this->assertSame(350, (new Money(150))->plus(new Money(200))->cents);
            }
        }
      `,
    },
    steps: testFirst(
      [
        'tests/MoneyTest.php',
        fileText`
          <?php
          use PHPUnit\Framework\TestCase;

          final class MoneyTest extends TestCase
          {
              public function testAdds(): void
              {
                  $this->assertSame(350, (new Money(150))->plus(new Money(200))->cents);
              }

              public function testSplitsWithoutALoss(): void
              {
                  $parts = array_map(fn (Money $part) => $part->cents, (new Money(1000))->split(3));
                  $this->assertSame([334, 333, 333], $parts);
              }

              public function testRefusesNoParts(): void
              {
                  $this->expectException(InvalidArgumentException::class);
                  $this->expectExceptionMessage('at least one part');
                  (new Money(1000))->split(0);
              }
          }
        `,
      ],
      [
        'src/Money.php',
        fileText`
          <?php

          final class Money
          {
              public function __construct(public readonly int $cents)
              {
              }

              public function plus(Money $other): Money
              {
                  return new Money($this->cents + $other->cents);
              }

              public function split(int $parts): array
              {
                  if ($parts < 1) {
                      throw new InvalidArgumentException('at least one part');
                  }
                  $each = intdiv($this->cents, $parts);
                  $rest = $this->cents % $parts;
                  $result = [];
                  for ($part = 0; $part < $parts; $part++) {
                      $result[] = new Money($part < $rest ? $each + 1 : $each);
                  }

                  return $result;
              }
          }
        `,
      ],
    ),
  },
];

const RSPEC_WAYS: readonly HonestWay[] = [
  {
    name: 'a table that is drawn, with values for all examples',
    steps: testFirst(
      [
        'spec/table_spec.rb',
        fileText`
          require "table"

          RSpec.describe Table do
            subject(:table) { described_class.new(%w[name size]) }

            it "is as wide as its widest cell" do
              table.add("a", 5)
              table.add("longer", 12)
              expect(table.to_s).to eq("name   size\na      5\nlonger 12\n")
            end

            it "has a head alone" do
              expect(table.to_s).to eq("name size\n")
            end

            it "refuses a row of another length" do
              expect { table.add("a") }.to raise_error(ArgumentError, "2 cells, not 1")
            end
          end
        `,
      ],
      [
        'lib/table.rb',
        fileText`
          class Table
            def initialize(head)
              @rows = [head]
            end

            def add(*cells)
              raise ArgumentError, "#{@rows.first.size} cells, not #{cells.size}" if cells.size != @rows.first.size

              @rows << cells.map(&:to_s)
            end

            def to_s
              widths = @rows.transpose.map { |column| column.map(&:length).max }
              @rows.map { |row| row.zip(widths).map { |cell, width| cell.ljust(width) }.join(" ").rstrip + "\n" }.join
            end
          end
        `,
      ],
    ),
  },
];

/** Small libraries, as somebody writes them who knows the language: with examples, errors and what holds for all. */
export const LIBRARY_WAYS: readonly RunnerWays[] = [
  { runner: 'node-test', project: PROJECTS['node-test'], ways: NODE_WAYS },
  { runner: 'vitest', project: PROJECTS['vitest'], ways: VITEST_WAYS },
  { runner: 'jest', project: PROJECTS['jest'], ways: JEST_WAYS },
  { runner: 'mocha', project: PROJECTS['mocha'], ways: MOCHA_WAYS },
  { runner: 'pytest', project: PROJECTS['pytest'], ways: PYTEST_WAYS },
  { runner: 'unittest', project: PROJECTS['unittest'], ways: UNITTEST_WAYS },
  { runner: 'go-test', project: PROJECTS['go-test'], ways: GO_WAYS },
  { runner: 'cargo-test', project: PROJECTS['cargo-test'], ways: CARGO_WAYS },
  { runner: 'phpunit', project: PROJECTS['phpunit'], ways: PHP_WAYS },
  { runner: 'rspec', project: PROJECTS['rspec'], ways: RSPEC_WAYS },
];
