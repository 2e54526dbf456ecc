import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { SqliteOperationLog } from '../../../src/platform/sqlite/operation-log.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { ROUNDS_TIMEOUT_MS, rounds, seededRandom } from '../../seeded-random.ts';
import { chainFault } from './chain-fault.ts';
import { databaseFixture } from './database-fixture.ts';

const childPath = (name: string): string => new URL(name, import.meta.url).pathname;

it.runIf(process.platform === 'linux')(
  'a disk that is full at any byte loses no acknowledged record and breaks no chain',
  { timeout: ROUNDS_TIMEOUT_MS },
  () => {
    const fixture = databaseFixture();
    const args = [childPath('./full-disk-child.ts'), fixture.directory, '11', String(rounds(60, 3_000))];
    const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    expect(child.stderr).toBe('');
    const { acknowledged, failures } = JSON.parse(child.stdout) as { acknowledged: string[]; failures: string[] };
    expect(new Set(failures)).toEqual(new Set(['audit_write_failed']));
    expect(failures.length).toBeGreaterThan(20);
    const { database, recovery } = fixture.open();
    expect(recovery).toBeNull();
    const entries = new SqliteAuditLog(database, fixture.clock).recent(1_000_000).toReversed();
    const kept = new Set(acknowledged);
    expect(entries.map(({ input_summary }) => input_summary).filter((summary) => kept.has(summary))).toEqual(
      acknowledged,
    );
    database.close();
    expect(chainFault(fixture.path)).toBeNull();
  },
);

it(
  'a kernel killed at any moment loses nothing that was acknowledged, and the next one goes on',
  { timeout: ROUNDS_TIMEOUT_MS },
  async () => {
    const fixture = databaseFixture();
    const random = seededRandom(23);
    let total = 0;
    for (let round = 0; round < rounds(6, 400); round += 1) {
      const args = [childPath('./writer-child.ts'), fixture.directory, String(round)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await once(child.stdout, 'data');
      await delay(random() * 30);
      child.kill('SIGKILL');
      await once(child, 'close');
      const acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1));
      expect(acknowledged).toBeGreaterThan(total);

      const { database, recovery } = fixture.open();
      expect(recovery).toBeNull();
      total = new SqliteAuditLog(database, fixture.clock).head().entries;
      expect(total).toBeGreaterThanOrEqual(acknowledged);
      const session = new SqliteSessionStore(database, fixture.clock).newest();
      expect(['idle', 'planning']).toContain(session?.state);
      expect(new SqliteOperationLog(database, fixture.clock, systemRandom).pending().length).toBeLessThanOrEqual(
        round + 1,
      );
      database.close();
      expect(chainFault(fixture.path)).toBeNull();
      expect(chainFault(fixture.path, 'transitions')).toBeNull();
    }
  },
);
