import { appendFile, rename, stat } from 'node:fs/promises';

export interface BoundedLog {
  /** Never rejects: a full disk must not change what the guard does. */
  write(entry: Readonly<Record<string, string | number | undefined>>): void;
  /** Resolves when everything written so far is in the file. */
  flush(): Promise<void>;
}

const MAX_FIELD = 300;
const MAX_QUEUED = 1000;

/** Writes JSON lines to `path`. At `maxBytes` the file is renamed to `<path>.1`, replacing an older one, so that a flood can't fill the disk. */
export function openBoundedLog(path: string, nowMs: () => number, maxBytes = 1024 * 1024): BoundedLog {
  let last: Promise<void> = Promise.resolve();
  let queued = 0;

  const append = async (line: string): Promise<void> => {
    const size = await stat(path).then(
      (info) => info.size,
      () => 0,
    );
    if (size + line.length > maxBytes) await rename(path, `${path}.1`).catch(() => undefined);
    await appendFile(path, line, { mode: 0o600 });
  };

  return {
    write(entry) {
      if (queued >= MAX_QUEUED) return;
      const bounded = Object.entries(entry).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, MAX_FIELD) : value,
      ]);
      const line = `${JSON.stringify({ time: new Date(nowMs()).toISOString(), ...Object.fromEntries(bounded) })}\n`;
      queued++;
      last = last
        .then(() => append(line))
        .catch(() => undefined)
        .finally(() => queued--);
    },
    flush: () => last,
  };
}
