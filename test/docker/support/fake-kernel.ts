/**
 * A program in the kernel's place: it shakes hands, answers pings, and tells or does what a test asks for. A kernel that has been
 * taken over would have no more than this one has.
 */
export const FAKE_KERNEL = `
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';

let sessions = 0;
const attempt = (action) => { try { return action(); } catch (error) { return error.code ?? String(error); } };
const ask = ({ method, path, body }) => new Promise((resolve) => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = http.request({ socketPath: '/run/fluffy/guard.sock', method, path, headers: text ? { 'content-length': Buffer.byteLength(text) } : {} }, (response) => {
    let answer = '';
    response.on('data', (chunk) => (answer += chunk));
    response.on('end', () => resolve({ status: response.statusCode, text: answer }));
  });
  request.on('error', (error) => resolve({ status: 0, text: error.code }));
  request.end(text);
});
const METHODS = {
  'kernel.ping': () => ({ pid: process.pid, sessions }),
  'test.sessions': (params) => { sessions = params.count; return {}; },
  'test.guard': ask,
  'test.exit': () => process.exit(3),
  'test.hang': () => { for (;;); },
  'test.rename': ({ from, to }) => attempt(() => { fs.renameSync(from, to); return 'renamed'; }),
  'test.write': ({ path, text }) => attempt(() => { fs.writeFileSync(path, text); return 'written'; }),
  'test.report': () => ({
    options: JSON.parse(process.env.FLUFFY_KERNEL_OPTIONS),
    status: fs.readFileSync('/proc/self/status', 'utf8').match(/^(Uid|Gid|CapEff|CapBnd|NoNewPrivs|Seccomp):.*$/gm).map((line) => line.replaceAll('\\t', ' ')),
    interfaces: fs.readdirSync('/sys/class/net'),
    run: fs.readdirSync('/run/fluffy').sort(),
    state: fs.readdirSync('/var/lib/fluffy').sort(),
    engineSocket: attempt(() => fs.statSync('/var/run/docker.sock') && 'there'),
    rootfs: attempt(() => fs.writeFileSync('/probe', '')),
    variables: Object.keys(process.env).sort(),
    processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length,
  }),
};
const send = (socket, message) => {
  const payload = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(payload.length);
  socket.write(Buffer.concat([header, payload]));
};
fs.rmSync('/run/fluffy/cli.sock', { force: true });
net.createServer((socket) => {
  let pending = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', async (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
      const end = 4 + pending.readUInt32BE(0);
      const message = JSON.parse(pending.subarray(4, end));
      pending = pending.subarray(end);
      if (message.type === 'handshake') send(socket, { type: 'handshake_ack', kernel_version: 'fake', supported_api_versions: [0, 1], negotiated_api_version: message.syscall_api_version });
      else if (message.type === 'request') send(socket, { type: 'response', id: message.id, result: await METHODS[message.method](message.params) });
    }
  });
}).listen('/run/fluffy/cli.sock');
process.on('SIGTERM', () => process.exit(0));
`;
