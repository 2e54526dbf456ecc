import { userInfo } from 'node:os';
import { join } from 'node:path';

/** The environment with the toolchains of the account that runs the tests: CI gives them a home directory of their own, which has none. */
export function toolchainEnv(): NodeJS.ProcessEnv & { readonly PATH: string; readonly RUSTUP_HOME: string } {
  const { homedir } = userInfo();
  const usual = [join(homedir, '.cargo/bin'), '/usr/local/cargo/bin', '/usr/local/go/bin'];
  return {
    ...process.env,
    RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir, '.rustup'),
    PATH: [process.env['PATH'] ?? '', ...usual].join(':'),
  };
}
