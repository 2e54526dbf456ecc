import { z } from 'zod';

/** What a sandbox finds out about itself; each value as the kernel reports it, or `null`. */
export const probeSchema = z.strictObject({
  uid: z.number(),
  seccomp: z.string().nullable(),
  noNewPrivileges: z.string().nullable(),
  capabilities: z.string().nullable(),
  apparmor: z.string().nullable(),
  uidMap: z.string().nullable(),
  cgroup: z.string().nullable(),
  interfaces: z.array(z.string()),
  rootWritable: z.boolean(),
  internetSocket: z.string(),
  namespace: z.enum(['made', 'refused', 'untried']),
  processes: z.number(),
});
export type Probe = z.infer<typeof probeSchema>;

/** Number of processes that the probe tries to start; its limit is lower. */
export const PROBE_PROCESS_LIMIT = 30;
const PROBE_ATTEMPTS = 60;

/**
 * Runs inside the sandbox with Node only. It tries things rather than reading settings where that tells more, because engines have ignored flags
 * before.
 */
export const PROBE_SCRIPT = `
const fs = require('node:fs');
const { spawn, spawnSync } = require('node:child_process');
const read = (path) => { try { return fs.readFileSync(path, 'utf8').replace(/\\0/g, '').trim(); } catch { return null; } };
const status = read('/proc/self/status') ?? '';
const field = (name) => new RegExp('^' + name + ':\\\\s*(.*)$', 'm').exec(status)?.[1] ?? null;
const attempt = (action) => { try { action(); return true; } catch { return false; } };
const interfaces = (read('/proc/net/dev') ?? '').split('\\n').slice(2).map((line) => line.split(':')[0].trim());
const unshared = spawnSync('unshare', ['--user', 'true'], { stdio: 'ignore' });
const children = [];
let refused = false;
for (let i = 0; i < ${PROBE_ATTEMPTS} && !refused; i++) {
  try {
    const child = spawn('sleep', ['30'], { stdio: 'ignore' });
    child.once('error', () => undefined);
    if (child.pid === undefined) refused = true; else children.push(child);
  } catch { refused = true; }
}
for (const child of children) child.kill('SIGKILL');
const socket = require('node:net').connect(9, '127.0.0.1');
socket.once('error', (error) => {
  console.log(JSON.stringify({
    uid: process.getuid(),
    seccomp: field('Seccomp'),
    noNewPrivileges: field('NoNewPrivs'),
    capabilities: field('CapEff'),
    apparmor: read('/proc/self/attr/apparmor/current') ?? read('/proc/self/attr/current'),
    uidMap: read('/proc/self/uid_map'),
    cgroup: read('/proc/self/cgroup'),
    interfaces,
    rootWritable: attempt(() => fs.writeFileSync('/fluffy-probe', '')),
    internetSocket: error.code ?? 'error',
    namespace: unshared.error ? 'untried' : unshared.status === 0 ? 'made' : 'refused',
    processes: children.length,
  }));
});
`;
