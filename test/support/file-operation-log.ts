import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { OperationLog } from '../../src/contracts/ports/operation-log.ts';

interface Line {
  readonly id: string;
  readonly begin?: { readonly kind: string; readonly detail: string };
  readonly step?: number;
  readonly finish?: 'done' | 'undone';
}

/** An operation log in a file of JSON lines: survives the kill of the process that writes it. */
export function fileOperationLog(path: string): OperationLog {
  const append = (line: Line): void => {
    const fd = openSync(path, 'a');
    writeSync(fd, `${JSON.stringify(line)}\n`);
    fsyncSync(fd);
    closeSync(fd);
  };
  const lines = (): Line[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      : [];
  const begun = (): { id: string; kind: string; detail: string; of: Line[] }[] =>
    lines().flatMap(({ id, begin }) =>
      begin === undefined ? [] : [{ id, ...begin, of: lines().filter((line) => line.id === id) }],
    );
  const statusOf = (of: Line[]) => of.findLast((line) => line.finish !== undefined)?.finish ?? 'pending';
  return {
    begin(kind, detail) {
      const id = `o_test${String(begun().length).padStart(4, '0')}`;
      append({ id, begin: { kind, detail } });
      return id;
    },
    markStep: (id, step) => append({ id, step }),
    finish: (id, finish) => append({ id, finish }),
    pending: () =>
      begun()
        .filter(({ of }) => statusOf(of) === 'pending')
        .map(({ id, kind, detail, of }) => ({
          id,
          kind,
          detail,
          lastStep: Math.max(-1, ...of.map(({ step }) => step ?? -1)),
        })),
    finished: (kind, limit) =>
      begun()
        .filter((operation) => operation.kind === kind && statusOf(operation.of) === 'done')
        .map(({ id, detail }) => ({ id, detail }))
        .reverse()
        .slice(0, limit),
    find(id) {
      const found = begun().find((operation) => operation.id === id);
      return found === undefined ? null : { kind: found.kind, detail: found.detail, status: statusOf(found.of) };
    },
  };
}
