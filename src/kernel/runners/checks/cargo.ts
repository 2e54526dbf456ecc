import { withInstalledCrates } from '../cargo-test/installed-crates.ts';
import { programCheck } from './check-source.ts';
import type { CheckSource } from './check-source.ts';

const LINTS = /^[ \t]*(?:\[(?:workspace\.)?lints\.clippy\b|clippy[ \t]*=|lints\.clippy\b)/m;

/** The format, and clippy where the project has settings for it: to run it, everything is compiled once more. */
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

/** In a directory of its own, since what is in `target` is from another run. */
const CLIPPY = 'CARGO_TARGET_DIR=/tmp/clippy cargo clippy --quiet --offline --workspace --all-targets';
