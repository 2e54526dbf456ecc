/** What names the judge: the secret of a run on the host, its report, and our programs. */
export const SECRETS = ['c4n4ry', 'r3p0rt', 'test-tool', 'job.sh'];

const PYTHON = `seen = [os.read(0, 99999).decode(), repr(sys.argv), repr(sys.orig_argv), repr(sys.modules["__main__"]), repr(list(os.environ))]
for pid in (os.getpid(), os.getppid()):
    with open("/proc/%d/cmdline" % pid) as file:
        seen.append(file.read())
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            seen.append(os.readlink("/proc/%d/fd/%s" % (pid, fd)) if int(fd) > 2 else "")
        except OSError:
            pass
raise AssertionError(" ".join(seen))`;

/** The body of a test that fails with all that it can read of its job: input, arguments, environment, and command lines of its process and its parent. */
export function spyInPython(indent: string): string {
  return `${PYTHON.split('\n')
    .map((line) => indent + line)
    .join('\n')}\n`;
}

export const SPY_IN_JAVASCRIPT = `import fs from 'node:fs';
const spied = () => {
  const input = fs.readlinkSync('/proc/self/fd/0');
  const seen = [input.startsWith('/') ? fs.readFileSync(0, 'utf8') : '', process.argv.join(' '), process.execArgv.join(' '), process.title, Object.keys(process.env).join(' ')];
  for (const pid of [process.pid, process.ppid]) {
    seen.push(fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8'));
    for (const fd of fs.readdirSync('/proc/' + pid + '/fd')) try { if (fd > 2) seen.push(fs.readlinkSync('/proc/' + pid + '/fd/' + fd)); } catch {}
  }
  return seen.join(' ');
};
`;
