/** Close functions that run in reverse order, each once; a failing one does not keep the others from running. */
export interface ReleaseStack {
  add(close: () => Promise<unknown>): void;
  release(): Promise<void>;
}

export function createReleaseStack(): ReleaseStack {
  const closers: (() => Promise<unknown>)[] = [];
  return {
    add: (close) => void closers.push(close),
    async release() {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        await close().catch(() => undefined);
      }
    },
  };
}
