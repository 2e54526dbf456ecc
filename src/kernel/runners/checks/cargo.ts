import { withInstalledCrates } from '../cargo-test/installed-crates.ts';
import { programCheck } from './check-source.ts';
import type { CheckSource } from './check-source.ts';

const LINTS = /^[ \t]*(?:\[(?:workspace\.)?lints\.clippy\b|clippy[ \t]*=|lints\.clippy\b)/m;

/** `cargo fmt`, and clippy if the project has settings for it: clippy compiles everything again. */
export const cargo: CheckSource = {
  reads: ['Cargo.toml', 'clippy.toml', '.clippy.toml'],
  find: (directory) => {
    const manifest = directory.text('Cargo.toml');
    if (manifest === '') return [];
    const usesClippy = LINTS.test(manifest) || directory.text('clippy.toml') + directory.text('.clippy.toml') !== '';
    return [
      programCheck(directory, 'cargo fmt --check', { script: 'cargo fmt --all --check', needs: 'cargo-fmt' }),
      ...(usesClippy
        ? [
            programCheck(directory, 'cargo clippy', {
              script: withInstalledCrates(CLIPPY, directory.projectRoot),
              needs: 'cargo-clippy',
            }),
          ]
        : []),
    ];
  },
};

/** Uses its own target directory, because `target` contains the results of another run. */
const CLIPPY = 'CARGO_TARGET_DIR=/tmp/clippy cargo clippy --quiet --offline --workspace --all-targets';
