import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from '../made-once.ts';

const run = promisify(execFile);
const DEADLINE_MS = 15 * 60 * 1000;

/** Packages that most programs import, with their dependencies. */
const PACKAGES = [
  ...['bufio', 'bytes', 'cmp', 'container/heap', 'container/list', 'context', 'crypto/md5', 'crypto/rand'],
  ...['crypto/sha256', 'embed', 'encoding/base64', 'encoding/binary', 'encoding/csv', 'encoding/hex'],
  ...['encoding/json', 'encoding/xml', 'errors', 'flag', 'fmt', 'hash/fnv', 'io', 'io/fs', 'io/ioutil', 'iter'],
  ...['log', 'log/slog', 'maps', 'math', 'math/big', 'math/bits', 'math/rand', 'net/http', 'net/http/httptest'],
  ...['net/url', 'os', 'os/exec', 'path', 'path/filepath', 'reflect', 'regexp', 'runtime', 'runtime/debug'],
  ...['slices', 'sort', 'strconv', 'strings', 'sync', 'sync/atomic', 'testing/fstest', 'testing/iotest'],
  ...['testing/quick', 'text/tabwriter', 'text/template', 'time', 'unicode', 'unicode/utf8'],
];

/**
 * A build cache with Go's standard library, made once for each toolchain; without it every sandbox would compile the library. The user's own cache is
 * not used, because it contains parts of their other projects. Only the toolchain runs, on a file written here.
 */
export async function goWarmCache(
  { goRoot, directory }: { readonly goRoot: string; readonly directory: string },
  onProgress: (text: string) => void,
): Promise<string> {
  const words = { making: "compiling Go's library, once for this version", waiting: "waiting for Go's library" };
  return madeOnce(directory, words, onProgress, async (made) => {
    const module = join(made, '../module');
    await mkdir(module);
    const imports = PACKAGES.map((each) => `\t_ ${JSON.stringify(each)}\n`).join('');
    await writeFile(join(module, 'go.mod'), 'module warm\n\ngo 1.21\n');
    await writeFile(
      join(module, 'warm_test.go'),
      `package warm\n\nimport (\n${imports}\t"testing"\n)\n\nfunc TestWarm(t *testing.T) {}\n`,
    );
    const env = { PATH: '/usr/bin:/bin', HOME: module, GOROOT: goRoot, GOCACHE: made, ...GO_SETTINGS };
    await run(join(goRoot, 'bin/go'), ['test', './...'], { cwd: module, env, timeout: DEADLINE_MS });
  });
}

/** No download, no other toolchain, no user settings, no C compiler: the same here and in a sandbox, otherwise the cache would not be valid. */
export const GO_SETTINGS = {
  GOENV: 'off',
  GOFLAGS: '',
  GOTOOLCHAIN: 'local',
  GOPROXY: 'off',
  GOSUMDB: 'off',
  CGO_ENABLED: '0',
} as const;
