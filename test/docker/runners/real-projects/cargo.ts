import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rustToolchain } from '../../../support/rust-toolchain.ts';
import type { RealProject } from './real-project.ts';

const MANIFEST = (name: string, more: string): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${more}`;

const toolchain = await rustToolchain();

/** A library of its own, which only cargo's cache of git repositories has once the project is there. */
function dependency(home: string): string {
  const root = join(home, 'vowels');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'Cargo.toml'), MANIFEST('vowels', ''));
  writeFileSync(join(root, 'src/lib.rs'), 'pub fn is_vowel(c: char) -> bool {\n    "aeiou".contains(c)\n}\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return root;
}

export const cargoProject: RealProject = {
  runner: 'cargo-test',
  name: 'a workspace with a dependency from git: an article is wrong before a capital letter',
  files: () => ({
    '.gitignore': 'target/\n',
    'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
    'crates/article/Cargo.toml': MANIFEST('article', 'vowels = { git = "file:///VOWELS" }\n'),
    'crates/article/src/lib.rs': `/// The article that a word has.
///
/// \`\`\`
/// assert_eq!(article::of("hour"), "a");
/// \`\`\`
pub fn of(word: &str) -> &'static str {
    match word.chars().next() {
        Some(first) if vowels::is_vowel(first) => "an",
        _ => "a",
    }
}
`,
    'crates/article/tests/small.rs': `#[test]
fn small_letters() {
    assert_eq!(article::of("apple"), "an");
    assert_eq!(article::of("pear"), "a");
    assert_eq!(article::of(""), "a");
}
`,
    'crates/sentence/Cargo.toml': MANIFEST('sentence', 'article = { path = "../article" }\n'),
    'crates/sentence/src/lib.rs': `pub fn about(word: &str) -> String {
    format!("This is {} {word}.", article::of(word))
}

#[cfg(test)]
mod tests;
`,
    'crates/sentence/src/tests.rs': `#[test]
fn has_an_article() {
    assert_eq!(super::about("pear"), "This is a pear.");
}
`,
  }),
  prepare: (root, home) => {
    const manifest = join(root, 'crates/article/Cargo.toml');
    writeFileSync(manifest, MANIFEST('article', `vowels = { git = "file://${dependency(home)}" }\n`));
    const PATH = [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':');
    const env = { PATH, HOME: home, CARGO_HOME: join(home, '.cargo') };
    execFileSync('cargo', ['fetch', '--quiet'], { cwd: root, env });
    // The project belongs to an ordinary user already.
    const git = (...args: string[]) => execFileSync('git', ['-c', `safe.directory=${root}`, ...args], { cwd: root });
    git('add', '-A');
    git('commit', '-qm', 'Say where the dependency is');
  },
  test: {
    path: 'crates/article/tests/capital.rs',
    content: `#[test]
fn capital_letters() {
    assert_eq!(article::of("Apple"), "an");
    assert_eq!(article::of("Pear"), "a");
}
`,
  },
  fix: {
    path: 'crates/article/src/lib.rs',
    old_string: 'vowels::is_vowel(first)',
    new_string: 'vowels::is_vowel(first.to_ascii_lowercase())',
  },
  cases: ['capital_letters'],
  forHuman: [],
};
