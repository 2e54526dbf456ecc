import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { render } from 'ink';
import type { ReactElement } from 'react';

export interface FakeTerminal {
  /** Every byte that was written, as text. */
  written(): string;
  type(bytes: string): Promise<void>;
  resize(columns: number, rows: number): void;
  /** After everything under way has been drawn. */
  settled(): Promise<void>;
  close(): void;
}

/** Runs a component as in a real terminal of that size: raw mode, escape sequences and all. */
export function drawInTerminal(node: ReactElement, columns = 80, rows = 24): FakeTerminal {
  const chunks: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    writable: true,
    write(data: string, done?: () => void) {
      chunks.push(data);
      if (typeof done === 'function') queueMicrotask(done);
      return true;
    },
  });
  const stdin = Object.assign(new PassThrough({ encoding: 'utf8' }), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  const instance = render(node, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: stdin as unknown as NodeJS.ReadStream,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
  });
  return {
    written: () => chunks.join(''),
    async type(bytes) {
      stdin.write(bytes);
      await instance.waitUntilRenderFlush();
    },
    resize(newColumns, newRows) {
      Object.assign(stdout, { columns: newColumns, rows: newRows });
      stdout.emit('resize');
    },
    settled: () => instance.waitUntilRenderFlush(),
    close: () => instance.unmount(),
  };
}
