import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { cargoTest } from '../../../src/kernel/runners/cargo-test/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { rustToolchain } from '../../support/rust-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 600_000;
const toolchain = await rustToolchain();
/** Left out where the machine has no Rust. */
const describeHere = describe.skipIf(toolchain === null);
const host = new RunnerOnHost(cargoTest, {
  program: process.execPath,
  packages: { 'Cargo.toml': '[workspace]\nmembers = ["p*"]\nresolver = "2"\n' },
  env: { ...toolchain?.forTests.env, PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: DEADLINE_MS,
});
beforeAll(() => host.playTogether(), DEADLINE_MS);
afterAll(() => {
  host.close();
});

let packages = 0;

/** The run of a package, together with those of other tests: they are members of one workspace. */
function played(files: Files): () => Promise<TestRun> {
  packages += 1;
  const manifest = `[package]\nname = "job-${packages}"\nversion = "0.1.0"\nedition = "2021"\n[lib]\nname = "job"\n`;
  return host.together({ 'src/lib.rs': '', 'Cargo.toml': manifest, ...files });
}

const ADD = 'pub struct Thing { pub size: i32 }\npub fn add(a: i32, b: i32) -> i32 { a + b }\n';
const BAD = '#[test] fn bad() { assert_eq!(1, 2); }\n';

describeHere('a run of cargo test', () => {
  const all = played({
    'src/lib.rs': `${ADD}#[cfg(test)] mod tests;\n#[cfg(test)] mod inline { #[test] fn never_listed() {} }\n`,
    'src/tests.rs': 'use super::*;\n#[test] fn inside() { assert_eq!(add(1, 1), 2); }\n',
    'tests/add.rs': `use job::add;
#[test] fn right() { println!("seen"); assert_eq!(add(1, 2), 3); }
mod deep { #[test] fn wrong() { assert_eq!(super::add(1, 2), 4, "sum of {}", 1); } }
#[test] #[ignore] fn later() {}
#[test] #[should_panic] fn panics() { panic!("as expected") }
#[test] #[should_panic] fn does_not_panic() {}
#[test] fn throws() { let empty: Vec<i32> = vec![]; let _ = empty[0]; }
#[test] fn result() -> Result<(), String> { Err("no result".into()) }
`,
    'tests/ends.rs': '#[test] fn aborts() { std::process::abort() }\n#[test] fn stays() {}\n#[test] fn zzz() {}\n',
    'tests/helper/main.rs': 'mod more;\n#[test] fn of_main() {}\n',
    'tests/helper/more.rs': '#[test] fn of_more() {}\n',
  });

  const withoutStd = played({
    'src/lib.rs':
      '#![no_std]\n#![forbid(unsafe_code)]\n#![deny(warnings, rust_2018_idioms)]\npub fn one() -> i32 { 1 }\n#[cfg(test)] mod tests;\n',
    'src/tests.rs':
      '#[test] fn right() { assert_eq!(super::one(), 1); }\n#[test] fn wrong() { assert!(super::one() == 2); }\n',
  });

  it('judges the tests inside of a crate without the standard library', async () => {
    expect(statuses(await withoutStd())).toEqual({
      'src/tests.rs tests > right': 'passed',
      'src/tests.rs tests > wrong': 'failed',
    });
  });

  const unlinked = played({
    'tests/link.rs': 'unsafe extern "C" { fn nowhere_at_all(); }\n#[test] fn calls() { unsafe { nowhere_at_all() } }\n',
  });

  it('says what the linker says', async () => {
    const { cases } = await unlinked();
    expect(cases[0]?.failure?.message).toContain('nowhere_at_all');
  });

  it('lists every case with its file, its full name, its status and how it failed', async () => {
    const run = await all();
    expect(statuses(run)).toEqual({
      'src/tests.rs tests > inside': 'passed',
      'tests/add.rs right': 'passed',
      'tests/add.rs deep > wrong': 'failed',
      'tests/add.rs later': 'skipped',
      'tests/add.rs panics': 'passed',
      'tests/add.rs does_not_panic': 'failed',
      'tests/add.rs throws': 'failed',
      'tests/add.rs result': 'failed',
      'tests/ends.rs aborts': 'failed',
      'tests/ends.rs stays': 'passed',
      'tests/ends.rs zzz': 'passed',
      'tests/helper/main.rs of_main': 'passed',
      'tests/helper/main.rs more > of_more': 'passed',
    });
    const failures = Object.fromEntries(run.cases.map((each) => [each.name, each.failure]));
    const says = (text: string) => expect.stringContaining(text) as unknown;
    expect(failures).toMatchObject({
      'deep > wrong': { kind: 'assertion', message: says('left: 3\n right: 4') },
      does_not_panic: { kind: 'assertion' },
      throws: { kind: 'error', message: says('index out of bounds') },
      result: { kind: 'error', message: says('no result') },
      aborts: { kind: 'error', message: says('it ended the process') },
    });
    expect(run.output).toContain('seen');
  });

  const one = played({ 'tests/a.rs': '#[test] fn one() {}\n' });
  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const run = await one();
    expect(run.outcome).toBe('passed');
    expect(statuses(run)).toEqual({ 'tests/a.rs one': 'passed' });
  });

  const undeclared = played({ 'src/a_test.rs': '#[test] fn never() {}\n', 'tests/a.rs': '#[test] fn one() {}\n' });
  it('leaves a file out that is a module of nothing', async () => {
    const run = await undeclared();
    expect(run.files).toEqual(['tests/a.rs']);
    expect(statuses(run)).toMatchObject({ 'src/a_test.rs (file)': 'skipped' });
  });

  it.each<[string, () => Promise<TestRun>, boolean]>(
    (
      [
        ['a function of the package', 'use job::missing;\n#[test] fn x() { assert_eq!(missing(1), 2); }\n', true],
        ['a function by a glob', 'use job::*;\n#[test] fn x() { assert_eq!(missing(1), 2); }\n', true],
        ['a module', '#[test] fn x() { job::deep::missing(); }\n', true],
        ['a parameter', '#[test] fn x() { job::add(1, 2, 3); }\n', true],
        ['a method', '#[test] fn x() { job::Thing { size: 1 }.missing(); }\n', true],
        ['a field', '#[test] fn x() { job::Thing { size: 1, other: 1 }; }\n', true],
        ['a trait', '#[test] fn x() { assert!(job::Thing { size: 1 } == job::Thing { size: 1 }); }\n', true],
        ['nothing but a bracket', '#[test] fn x() {\n', false],
        ['a variable of its own', '#[test] fn x() { assert_eq!(job::add(1, 2), missing); }\n', false],
        ['the right type', '#[test] fn x() { let a: i32 = "a"; assert_eq!(a, 1); }\n', false],
        ['a function of the library', '#[test] fn x() { std::mem::missing(); }\n', false],
      ] as const
    ).map(([name, body, inside]) => [name, played({ 'src/lib.rs': ADD, 'tests/x.rs': body }), inside]),
  )('a build that lacks %s is not loaded', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure).toMatchObject({ kind: 'load', message: expect.stringContaining('error') as unknown });
    const specifier = failure?.missing?.specifier ?? '';
    const root = `${specifier.split('/project/')[0] ?? ''}/project`;
    expect(resolvesInside(root, 'tests/x.rs', specifier)).toBe(inside);
  });

  const broken = played({ 'src/lib.rs': 'pub fn add( {}\n', 'tests/x.rs': BAD });
  it('a source that does not compile is nothing that is missing', async () => {
    const [first] = (await broken()).cases;
    expect(first?.failure).toMatchObject({ kind: 'load', message: expect.stringContaining('src/lib.rs') as unknown });
    expect(first?.failure?.missing).toBeUndefined();
  });
});

type Trick = readonly [name: string, outcome: string, files: Files];

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly Trick[] = [
  [
    'a source that ends the process in a test',
    'failed',
    {
      'src/lib.rs': 'pub fn f() { std::process::exit(0) }\n',
      'tests/a.rs': `#[test] fn x() { job::f(); assert!(false) }\n${BAD}`,
    },
  ],
  ['macros that assert nothing', 'tampered', { 'tests/a.rs': `macro_rules! assert_eq { ($($t:tt)*) => {}; }\n${BAD}` }],
  [
    'macros of the package that assert nothing',
    'tampered',
    {
      'src/lib.rs': '#[macro_export] macro_rules! assert { ($($t:tt)*) => {}; }\n',
      'tests/a.rs': `use job::assert;\n#[test] fn bad() { assert!(1 == 2); }\n`,
    },
  ],
  ['an attribute that is no test', 'tampered|passed', { 'tests/a.rs': `#![cfg(any())]\n${BAD}` }],
  [
    'a program that prints results',
    'tampered|failed',
    {
      'tests/a.rs': `use std::io::Write;\n#[test] fn x() { std::io::stdout().write_all(b"{ \\"type\\": \\"test\\", \\"event\\": \\"ok\\", \\"name\\": \\"x\\" }\\n").unwrap(); assert!(false); }\n`,
    },
  ],
  [
    'a program that prints results and ends',
    'tampered|failed',
    {
      'tests/a.rs': `use std::io::Write;\n#[test] fn x() { std::io::stdout().write_all(b"{ \\"type\\": \\"test\\", \\"event\\": \\"ok\\", \\"name\\": \\"x\\" }\\n{ \\"type\\": \\"suite\\", \\"event\\": \\"ok\\" }\\n").unwrap(); std::process::exit(101); }\n`,
    },
  ],
  [
    'a main function of its own',
    'passed|tampered',
    {
      'Cargo.toml':
        '[package]\nname = "own-main"\nversion = "0.1.0"\nedition = "2021"\n[[test]]\nname = "a"\nharness = false\n',
      'tests/a.rs': 'fn main() {}\n',
    },
  ],
];

describeHere('fake green', () => {
  it.each(TRICKS.map(([name, outcome, files]) => [name, outcome, played(files)] as const))(
    'never passes: %s',
    async (_, outcome, result) => {
      const run = await result();
      expect(run.outcome).toMatch(new RegExp(`^(${outcome})$`));
      expect(run.cases.filter(({ status }) => status === 'passed')).toEqual([]);
    },
  );
});
