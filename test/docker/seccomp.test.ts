import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kernelSeccomp } from '../../src/cli/supervisor/kernel-seccomp.ts';
import { ensureImages } from '../../src/host/images/ensure-images.ts';
import type { ThrowawayResult } from '../../src/host/images/throwaway-container.ts';
import { runInContainer } from './run-in-container.ts';

const repoRoot = resolve(import.meta.dirname, '../..');
const engine = { socketPath: '/var/run/docker.sock' };
const profiles = ['strict', 'standard', 'standard-net'] as const;
type Profile = (typeof profiles)[number] | 'kernel';

let stateHome = '';
let image = '';

beforeAll(async () => {
  stateHome = await mkdtemp(join(tmpdir(), 'fluffy-seccomp-'));
  const { images } = await ensureImages({ engine, stateHome, repoRoot, base: 'host', only: [] });
  image = images['base']?.id ?? '';
});

afterAll(async () => {
  await rm(stateHome, { recursive: true, force: true });
});

/** Of the kernel's container: made from that of the tools. */
async function kernelProfile(): Promise<string> {
  const path = join(stateHome, 'kernel.json');
  await writeFile(path, kernelSeccomp(await readFile(join(repoRoot, 'seccomp/standard.json'), 'utf8')));
  return path;
}

async function profilePath(profile: Profile): Promise<string> {
  return profile === 'kernel' ? kernelProfile() : join(repoRoot, 'seccomp', `${profile}.json`);
}

async function run(profile: Profile | 'unconfined', command: readonly string[]): Promise<ThrowawayResult> {
  return runInContainer(engine, {
    image,
    command,
    seccomp: profile === 'unconfined' ? profile : await profilePath(profile),
    binds: [`${join(repoRoot, 'node_modules')}:/node_modules:ro`],
  });
}

/** Numbers on x86_64 and arm64; arguments such that a kernel without filter answers anything but EPERM to this user. */
const attempts = [
  { name: 'socket AF_INET', x64: 41, arm64: 198, args: [2, 1, 0] },
  { name: 'socket AF_INET6', x64: 41, arm64: 198, args: [10, 2, 0] },
  { name: 'socket AF_INET of UDP', x64: 41, arm64: 198, args: [2, 2 | 0x80000, 17] },
  { name: 'socket of MPTCP', x64: 41, arm64: 198, args: [2, 1, 262] },
  { name: 'socket of SCTP', x64: 41, arm64: 198, args: [2, 5, 132] },
  { name: 'socket AF_NETLINK of routes', x64: 41, arm64: 198, args: [16, 3, 0] },
  { name: 'socket AF_NETLINK of netfilter', x64: 41, arm64: 198, args: [16, 3, 12] },
  { name: 'socket AF_ALG', x64: 41, arm64: 198, args: [38, 5, 0] },
  { name: 'ptrace', x64: 101, arm64: 117, args: [0, 0, 0, 0] },
  { name: 'process_vm_readv', x64: 310, arm64: 270, args: [-1, 0, 0, 0, 0, 0] },
  { name: 'unshare nothing', x64: 272, arm64: 97, args: [0] },
  { name: 'unshare CLONE_NEWUSER', x64: 272, arm64: 97, args: [0x10000000] },
  { name: 'setns', x64: 308, arm64: 268, args: [-1, 0] },
  { name: 'mount', x64: 165, arm64: 40, args: [1, 1, 1, 0, 0] },
  { name: 'setuid to oneself', x64: 105, arm64: 146, args: [1000] },
  { name: 'setgid to oneself', x64: 106, arm64: 144, args: [1000] },
  { name: 'setresuid of the real id', x64: 117, arm64: 147, args: [1000, -1, -1] },
  { name: 'setresuid of the saved id', x64: 117, arm64: 147, args: [-1, -1, 1000] },
  { name: 'setresgid of all ids', x64: 119, arm64: 149, args: [1000, 1000, 1000] },
  { name: 'keyctl', x64: 250, arm64: 219, args: [0, -3, 0] },
  { name: 'add_key', x64: 248, arm64: 217, args: [0, 0, 0, 0, 0] },
  { name: 'io_uring_setup', x64: 425, arm64: 425, args: [0, 0] },
  { name: 'userfaultfd', x64: 323, arm64: 282, args: [-1] },
  { name: 'perf_event_open', x64: 298, arm64: 241, args: [0, 0, 0, 0, 0] },
  { name: 'clone CLONE_NEWUSER', x64: 56, arm64: 220, args: [0x10000000 | 0x10000 | 17, 0, 0, 0, 0] },
] as const;

/** For these the answer depends on the profile. */
const strictOnly = [
  { name: 'memfd_create', x64: 319, arm64: 279, args: [0, 0] },
  { name: 'execveat', x64: 322, arm64: 281, args: [-1, 0, 0, 0, 0] },
  { name: 'unlinkat', x64: 263, arm64: 35, args: [-1, 0, 0] },
  { name: 'symlinkat', x64: 266, arm64: 36, args: [0, -1, 0] },
  { name: 'bind', x64: 49, arm64: 200, args: [-1, 0, 0] },
  { name: 'clone of a process', x64: 56, arm64: 220, args: [0x00000200 | 0x00000800, 0, 0, 0, 0] },
] as const;

/** Answered by the system itself (EFAULT) where it is allowed. */
const setxattr = { name: 'setxattr', x64: 188, arm64: 5, args: [0, 0, 0, 0, 0] } as const;

type Attempt = (typeof attempts)[number] | (typeof strictOnly)[number] | typeof setxattr;

/** Makes each raw system call and prints `{name: errno}`; 0 when it succeeded. */
async function errnos(profile: Profile | 'unconfined', calls: readonly Attempt[]): Promise<Record<string, number>> {
  const list = calls.map(({ name, args, ...number }) => ({
    name,
    number: number[process.arch as 'x64' | 'arm64'],
    args,
  }));
  const script = `
    const koffi = require('/node_modules/koffi');
    const syscall = koffi.load(null).func('long syscall(long n, long a, long b, long c, long d, long e, long f)');
    const results = {};
    for (const { name, number, args } of ${JSON.stringify(list)}) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
      results[name] = Number(syscall(number, a, b, c, d, e, f)) === -1 ? koffi.errno() : 0;
    }
    console.log(JSON.stringify(results));`;
  const result = await run(profile, ['node', '-e', script]);
  expect(result, profile).toMatchObject({ exitCode: 0 });
  return JSON.parse(result.stdout) as Record<string, number>;
}

const EPERM = 1;
const allEperm = (calls: readonly Attempt[]): Record<string, number> =>
  Object.fromEntries(calls.map(({ name }) => [name, EPERM]));

describe('what every profile refuses', () => {
  test('a kernel without a filter would answer something else, so that EPERM below is the filter', async () => {
    const answers = await errnos(
      'unconfined',
      attempts.filter(({ name }) => name !== 'unshare CLONE_NEWUSER'),
    );
    expect(Object.entries(answers).filter(([, errno]) => errno === EPERM)).toEqual([]);
  });

  test.each(['strict', 'standard'] as const)('%s', async (profile) => {
    expect(await errnos(profile, attempts)).toEqual(allEperm(attempts));
  });

  test('the profile of the kernel, which differs by setxattr alone', async () => {
    expect(await errnos('kernel', [...attempts, setxattr])).toEqual({ ...allEperm(attempts), setxattr: 14 });
    expect(await errnos('standard', [setxattr])).toEqual({ setxattr: 95 });
  });

  test('standard-net, which differs by TCP, UDP and the list of interfaces alone', async () => {
    const names = ['socket AF_INET', 'socket AF_INET of UDP', 'socket AF_INET6', 'socket AF_NETLINK of routes'];
    const allowed = Object.fromEntries(names.map((name) => [name, 0]));
    expect(await errnos('standard-net', attempts)).toEqual({ ...allEperm(attempts), ...allowed });
  });
});

describe('strict', () => {
  test('changes no file tree, makes no process, listens nowhere', async () => {
    expect(await errnos('strict', strictOnly)).toEqual(allEperm(strictOnly));
    const standard = await errnos(
      'standard',
      strictOnly.filter(({ name }) => name !== 'clone of a process'),
    );
    expect(Object.values(standard)).not.toContain(EPERM);
  });

  test('node computes, runs worker threads, and speaks over a Unix socket that somebody else listens on', async () => {
    const script = `
      const { Worker } = require('node:worker_threads');
      const net = require('node:net');
      const crypto = require('node:crypto');
      const worker = new Worker('require("node:worker_threads").parentPort.postMessage(6 * 7)', { eval: true });
      worker.once('message', (value) => {
        crypto.scrypt('a', 'b', 32, () => {
          const socket = net.connect('/tmp/nobody-listens');
          socket.once('error', (error) => console.log(value, error.code));
        });
      });`;
    expect(await run('strict', ['node', '-e', script])).toMatchObject({ exitCode: 0, stdout: '42 ENOENT\n' });
  });

  test.each([
    ['spawn', `try { require('node:child_process').spawn('/bin/true') } catch (e) { console.log(e.code) }`],
    ['spawnSync', `console.log(require('node:child_process').spawnSync('/bin/true').error.code)`],
    ['exec', `try { require('node:child_process').exec('true') } catch (e) { console.log(e.code) }`],
    ['fork', `try { require('node:child_process').fork('/tmp/x.js') } catch (e) { console.log(e.code) }`],
    ['a TCP connection', `require('node:net').connect(80, '127.0.0.1').once('error', (e) => console.log(e.code))`],
    ['a TCP listener', `require('node:net').createServer().listen(0).once('error', (e) => console.log(e.code))`],
    [
      'a UDP socket',
      `try { require('node:dgram').createSocket('udp4').once('error', (e) => console.log(e.code)).bind(0) } catch (e) { console.log(e.code) }`,
    ],
  ])('%s fails with EPERM', async (_name, script) => {
    expect(await run('strict', ['node', '-e', script])).toMatchObject({ stdout: 'EPERM\n' });
  });

  test('a shell starts nothing beside itself', async () => {
    const result = await run('strict', ['sh', '-c', 'ls / | cat; echo $?']);
    expect(result.stdout).not.toContain('usr');
  });
});

describe.each(['standard', 'standard-net'] as const)('%s runs what developers run', (profile) => {
  test.each([
    [
      'git',
      'git init -q r && cd r && echo a > a && git add a && git -c user.name=n -c user.email=e commit -qm m && git log --format=%s && git status --porcelain',
      'm\n',
    ],
    [
      'node --test',
      `echo "import test from 'node:test'; import {execFileSync} from 'node:child_process'; test('t', () => { execFileSync('true') })" > t.test.mjs && node --test --test-reporter=tap t.test.mjs | grep -c '^ok 1'`,
      '1\n',
    ],
    ['a pipeline', 'printf "b\\na\\n" | sort | head -1; x=$(echo in | tr i o); echo $x', 'a\non\n'],
    [
      'files',
      'mkdir -p d/e && touch d/e/f && mv d/e/f d/g && ln -s g d/h && chmod 755 d/g && cp -a d c && rm -r d && mkfifo p && ls c p',
      'p\n\nc:\ne\ng\nh\n',
    ],
    [
      'make, which sets its effective ids before a program',
      `printf 'a:\\n\\techo made\\n' > Makefile && make -s a`,
      'made\n',
    ],
    ['background jobs', 'sleep 5 & kill $! && wait $! ; echo $?', '143\n'],
  ])('%s', async (_name, script, stdout) => {
    expect(await run(profile, ['sh', '-c', script])).toMatchObject({ exitCode: 0, stdout });
  });

  test('python with subprocesses, threads and unittest, where the host has python', async () => {
    const script = `command -v python3 >/dev/null || exit 0
cat > test_a.py <<'END'
import subprocess, threading, unittest, multiprocessing, tempfile
class A(unittest.TestCase):
    def test_subprocess(self): self.assertEqual(subprocess.check_output(['echo', 'x']), b'x\\n')
    def test_thread(self):
        seen = []
        thread = threading.Thread(target=seen.append, args=(1,)); thread.start(); thread.join()
        self.assertEqual(seen, [1])
    def test_file(self):
        with tempfile.NamedTemporaryFile() as f: f.write(b'x')
END
python3 -m unittest test_a 2>&1 | tail -1 | grep -x OK`;
    expect(await run(profile, ['sh', '-c', script])).toMatchObject({ exitCode: 0 });
  });

  test('no device is made, not even the one that an overlay takes for a deletion', async () => {
    const script = `
      const koffi = require('/node_modules/koffi');
      const mknod = koffi.load(null).func('int mknod(const char *path, unsigned int mode, unsigned long device)');
      const attempt = (path, mode) => (mknod(path, mode | 0o600, 0) === -1 ? koffi.errno() : 0);
      console.log(attempt('/tmp/whiteout', 0o020000), attempt('/tmp/block', 0o060000), attempt('/tmp/pipe', 0o010000));`;
    expect(await run(profile, ['node', '-e', script])).toMatchObject({ exitCode: 0, stdout: '1 1 0\n' });
  });
});
