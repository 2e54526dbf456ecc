/** What was opened for a thing, closed in reverse order, each once; one that fails doesn't keep the others open. */
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
