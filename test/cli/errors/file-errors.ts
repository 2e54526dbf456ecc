import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { extraCertificates } from '../../../src/host/secrets/extra-ca.ts';
import { generateSigningKey } from '../../../src/host/signer/signing-key.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { startCli } from '../../support/cli/cli-scene.ts';
import { makeAttestedRepository } from '../../support/attested-repository.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { sessionRow, sessionSnapshot } from '../../platform/sqlite/session-row.ts';
import type { ErrorBench, Provocations, Provoke } from './bench.ts';

const RANGE = ['audit', 'verify', '--range', 'HEAD~1..HEAD'];

/** A command of a project whose database was left by one run and then changed. */
const onDatabase =
  (args: readonly string[], spoil: (path: string) => void): Provoke =>
  async (bench) => {
    const made = bench.project();
    const path = bench.dirsOf(made).database;
    const { database } = openDatabase({ path, backups: join(dirname(path), 'backups'), clock: systemClock });
    new SqliteAuditLog(database, systemClock).append(auditInput());
    new SqliteSessionStore(database, systemClock).insert(sessionRow(), sessionSnapshot());
    database.close();
    spoil(path);
    return bench.cli([...args, '--project', made.root]);
  };

const edited =
  (sql: string) =>
  (path: string): void => {
    const database = new Database(path);
    database.exec(sql);
    database.close();
  };

/** Files of `fluffy audit verify --range`. */
function keyFile(bench: ErrorBench, text: string): string {
  const path = join(bench.home, 'team.keys');
  writeFileSync(path, text);
  return path;
}

const hostKey = (): string => `host ed25519 ${generateSigningKey().key.publicKey}\n`;

/** What is found in files of fluffy's own, and in a repository that is verified. */
export const FILE_ERRORS: Provocations = {
  audit_unreadable: onDatabase(
    ['audit', 'log'],
    edited("DROP TRIGGER IF EXISTS audit_no_update; UPDATE audit SET body = '[' WHERE id = 1"),
  ),
  ca_file_unusable: (bench) => bench.starting(() => extraCertificates({ NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' })),
  database_in_use: (bench) =>
    bench.starting(async () => {
      const path = join(bench.home, 'fluffy.db');
      const open = () => openDatabase({ path, backups: join(bench.home, 'backups'), clock: systemClock }).database;
      const first = open();
      bench.later(() => first.close());
      return Promise.resolve(open());
    }),
  database_newer: onDatabase(['session', 'list'], edited('PRAGMA user_version = 99')),
  database_row_invalid: onDatabase(['session', 'list'], edited("UPDATE sessions SET state = 'root'")),
  database_unreadable: onDatabase(['session', 'list'], (path) => symlinkSync('/etc/passwd', `${path}-wal`)),
  database_unusable: onDatabase(['session', 'list'], (path) => writeFileSync(path, 'x'.repeat(8192))),
  export_failed: onDatabase(['session', 'export', '-o', '/nowhere/session.md'], () => undefined),
  evidence_unavailable: async (bench) => {
    const made = makeAttestedRepository();
    bench.later(() => made.remove());
    await made.attested();
    made.git('update-ref', '-d', 'refs/fluffy/evidence');
    return bench.cli([...RANGE, '--keys', keyFile(bench, hostKey()), '--project', made.root]);
  },
  history_incomplete: async (bench) => {
    const made = bench.project((fresh) => {
      fresh.commit('Second');
      fresh.commit('Third');
    });
    const [, second = '', first = ''] = made.git('rev-list', 'HEAD').split('\n');
    rmSync(join(made.root, '.git/objects', second.slice(0, 2), second.slice(2)));
    return bench.cli([
      'audit',
      'verify',
      '--range',
      `${first}..HEAD`,
      '--keys',
      keyFile(bench, hostKey()),
      '--project',
      made.root,
    ]);
  },
  keys_in_repository: (bench) => {
    const made = bench.project((fresh) => fresh.write('team.keys', hostKey()));
    return bench.cli([...RANGE, '--keys', join(made.root, 'team.keys'), '--project', made.root]);
  },
  keys_unusable: (bench) =>
    bench.cli([...RANGE, '--keys', keyFile(bench, 'no key\n'), '--project', bench.project().root]),
  not_confirmed: onDatabase(
    ['audit', 'reset'],
    edited("DROP TRIGGER IF EXISTS audit_no_update; UPDATE audit SET hash = 'x'"),
  ),
  nothing_to_reset: onDatabase(['audit', 'reset'], () => undefined),
  no_trusted_keys: async (bench) => {
    const made = makeAttestedRepository();
    bench.later(() => made.remove());
    await made.attested();
    return bench.cli([...RANGE, '--project', made.root]);
  },
  output_lost: (bench) => {
    const full = () => Promise.reject(new Error('no kernel is needed'));
    return startCli(
      ['session', 'list', '--project', bench.project().root],
      { env: bench.env, brokenOutput: 'ENOSPC' },
      full,
    ).result;
  },
  trust_unsafe: async (bench) => {
    const made = makeAttestedRepository();
    bench.later(() => made.remove());
    await made.attested();
    mkdirSync(join(bench.user.trust, 'keys'), { recursive: true, mode: 0o700 });
    chmodSync(join(bench.user.trust, 'keys'), 0o777);
    return bench.cli([...RANGE, '--project', made.root]);
  },
};
