import { spawn } from 'node:child_process';

/** The operating system's own store for secrets. Every method returns `unavailable` if there is none. */
export interface Keyring {
  read(
    name: string,
  ): Promise<{ readonly kind: 'found'; readonly key: string } | { readonly kind: 'missing' | 'unavailable' }>;
  write(name: string, key: string): Promise<'stored' | 'unavailable'>;
}

const TIMEOUT_MS = 5_000;
const MAX_OUTPUT_BYTES = 16 * 1024;

/**
 * The Secret Service through libsecret's `secret-tool`. Keys are passed on standard input and output, never as an argument, which any user could read
 * from the process list. A machine without a session bus or without the tool has no keyring.
 */
export function secretServiceKeyring(env: Readonly<Record<string, string | undefined>>): Keyring {
  const run = async (argv: readonly string[], input: string): Promise<ToolResult> =>
    env['DBUS_SESSION_BUS_ADDRESS'] === undefined
      ? { kind: 'unavailable' }
      : await runTool('secret-tool', argv, input, env);
  const attributes = (name: string): string[] => ['service', 'fluffy', 'provider', name];
  return {
    read: async (name) => {
      const result = await run(['lookup', ...attributes(name)], '');
      if (result.kind === 'unavailable') return result;
      return result.status === 0 && result.output !== '' ? { kind: 'found', key: result.output } : { kind: 'missing' };
    },
    write: async (name, key) => {
      const result = await run(['store', `--label=fluffy: ${name}`, ...attributes(name)], key);
      return result.kind === 'exited' && result.status === 0 ? 'stored' : 'unavailable';
    },
  };
}

type ToolResult =
  | { readonly kind: 'exited'; readonly status: number | null; readonly output: string }
  | { readonly kind: 'unavailable' };

async function runTool(
  tool: string,
  argv: readonly string[],
  input: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ToolResult> {
  return await new Promise((resolve) => {
    const child = spawn(tool, argv, {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', () => resolve({ kind: 'unavailable' }));
    child.on('close', (status, signal) => {
      if (signal !== null) resolve({ kind: 'unavailable' });
      else resolve({ kind: 'exited', status, output: Buffer.concat(chunks).toString('utf8') });
    });
    child.stdin.end(input);
  });
}
