import { describe, expect, it } from 'vitest';
import { SqliteOperationLog } from '../../../src/platform/sqlite/operation-log.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { databaseFixture } from './database-fixture.ts';

function openLog() {
  const fixture = databaseFixture();
  const first = fixture.open();
  const log = new SqliteOperationLog(first.database, fixture.clock, systemRandom);
  const reopen = (): SqliteOperationLog => {
    first.database.close();
    return new SqliteOperationLog(fixture.open().database, fixture.clock, systemRandom);
  };
  return { log, reopen };
}

const failure = expect.objectContaining({ code: 'operation_write_failed' }) as unknown;

describe('an operation', () => {
  it('that was not finished is found after a restart, with the steps it got to', () => {
    const { log, reopen } = openLog();
    const merge = log.begin('merge', '{"files":["a"]}');
    const undo = log.begin('undo', '{}');
    const done = log.begin('merge', '{}');
    log.markStep(merge, 0);
    log.markStep(merge, 4);
    log.finish(done, 'done');
    expect(reopen().pending()).toEqual([
      { id: merge, kind: 'merge', detail: '{"files":["a"]}', lastStep: 4 },
      { id: undo, kind: 'undo', detail: '{}', lastStep: -1 },
    ]);
  });

  it('has an id that is safe as a path component', () => {
    const { log } = openLog();
    expect(log.begin('merge', '{}')).toMatch(/^[a-z0-9_]+$/);
  });

  it('keeps its highest step when an earlier one is marked again', () => {
    const { log } = openLog();
    const id = log.begin('merge', '{}');
    log.markStep(id, 3);
    log.markStep(id, 1);
    expect(log.pending()).toMatchObject([{ lastStep: 3 }]);
  });

  it('is found by id in any status', () => {
    const { log } = openLog();
    const id = log.begin('merge', '{"x":1}');
    expect(log.find(id)).toEqual({ kind: 'merge', detail: '{"x":1}', status: 'pending' });
    log.finish(id, 'done');
    expect(log.find(id)?.status).toBe('done');
    log.finish(id, 'undone');
    expect(log.find(id)?.status).toBe('undone');
    expect(log.find('o_nobody')).toBeNull();
  });

  it('that went through is among the newest of its kind until it is undone', () => {
    const { log } = openLog();
    const ids = ['1', '2', '3', '4'].map((detail) => log.begin('merge', detail));
    for (const id of ids.slice(0, 3)) log.finish(id, 'done');
    log.finish(log.begin('other', '5'), 'done');
    log.finish(ids[1] ?? '', 'undone');
    expect(log.finished('merge', 10)).toEqual([
      { id: ids[2], detail: '3' },
      { id: ids[0], detail: '1' },
    ]);
    expect(log.finished('merge', 1)).toEqual([{ id: ids[2], detail: '3' }]);
  });

  it('takes no step once it is finished, and none if it never began', () => {
    const { log } = openLog();
    const id = log.begin('merge', '{}');
    log.finish(id, 'done');
    expect(() => log.markStep(id, 1)).toThrow(failure);
    expect(() => log.markStep('o_nobody', 1)).toThrow(failure);
    expect(() => log.finish('o_nobody', 'done')).toThrow(failure);
  });
});
