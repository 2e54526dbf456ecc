import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/source/source-files.ts';

const run = promisify(execFile);

interface BundleDiet {
  readonly diet: Plugin;
  readonly unwantedInputs: (metafile: Metafile) => string[];
}

let bundleDiet: BundleDiet;
let directory: string;
beforeAll(async () => {
  bundleDiet = (await import(join(REPOSITORY, 'bin/bundle-diet.mjs'))) as BundleDiet;
  directory = await mkdtemp(join(tmpdir(), 'fluffy-diet-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** As bin/bundle.mjs does it. */
function bundle(source: string, plugins: Plugin[]) {
  return build({
    absWorkingDir: REPOSITORY,
    stdin: { contents: source, resolveDir: REPOSITORY, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    logLevel: 'silent',
    external: ['better-sqlite3', 'koffi', 'cpu-features', '*.node'],
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    plugins,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}

/** What a bundled program prints. */
async function outputOf(source: string, ...args: readonly string[]): Promise<string> {
  const { outputFiles } = await bundle(source, [bundleDiet.diet]);
  const program = join(directory, `${crypto.randomUUID()}.mjs`);
  await writeFile(program, outputFiles[0]?.contents ?? '');
  return (await run(process.execPath, [program, ...args])).stdout.trim();
}

describe('the bundle of the kernel', () => {
  const kernel = "import './src/kernel/main.ts';";

  it('holds nothing that it never uses', async () => {
    const { metafile, outputFiles } = await bundle(kernel, [bundleDiet.diet]);
    expect(bundleDiet.unwantedInputs(metafile)).toEqual([]);
    expect(outputFiles[0]?.contents.length).toBeLessThan(2_200_000);
  });

  it('would hold it otherwise, and bundling would then fail', async () => {
    const { metafile } = await bundle(kernel, []);
    const unwanted = bundleDiet.unwantedInputs(metafile).join('\n');
    for (const name of ['ssh2', '@grpc/grpc-js', 'protobufjs', 'tar-fs', 'readable-stream', 'zod/v4/locales']) {
      expect(unwanted).toContain(`node_modules/${name}/`);
    }
  });
});

describe('a bundled program', () => {
  it('speaks to an engine as it does unbundled, waiting and streams included', async () => {
    const socket = join(directory, 'engine.sock');
    const frame = (text: string) => Buffer.from([1, 0, 0, 0, 0, 0, 0, text.length, ...Buffer.from(text)]);
    const answers: Record<string, Buffer | string> = {
      '/_ping': 'OK',
      '/images/json': JSON.stringify([{ name: 'node', id: 'sha256:1' }]),
      [`/containers/${'a'.repeat(64)}/wait`]: JSON.stringify({ StatusCode: 7 }),
      [`/containers/${'a'.repeat(64)}/logs`]: Buffer.concat([frame('out '), frame('of luck')]),
    };
    const engine = createServer((request, response) => {
      const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
      response.writeHead(answer === undefined ? 404 : 200).end(answer ?? '{"message":"no such thing"}');
    });
    await promisify((path: string, done: () => void) => engine.listen(path, done))(socket);
    const source = `
      import { DockerRuntime } from './src/platform/docker/docker-runtime.ts';
      const runtime = new DockerRuntime({ socketPath: process.argv[2] });
      const id = 'a'.repeat(64);
      console.log(JSON.stringify([
        await runtime.ping(),
        await runtime.images(),
        await runtime.wait(id, new AbortController().signal),
        (await runtime.logs(id, { headBytes: 100, tailBytes: 100 })).text,
        await runtime.start(id).catch((error) => error.kind),
      ]));`;
    try {
      expect(JSON.parse(await outputOf(source, socket))).toEqual([
        true,
        [{ name: 'node', id: 'sha256:1' }],
        7,
        'out of luck',
        'missing',
      ]);
    } finally {
      engine.close();
    }
  });

  it('says so when it uses what was left out', async () => {
    const source = `
      import Docker from 'dockerode';
      try { await new Docker({ protocol: 'ssh', host: 'h', username: 'u' }).ping(); } catch (error) { console.log(error.message); }`;
    expect(await outputOf(source)).toMatch(/^ssh2 is not part of this program/);
  });

  it("doesn't load Node's fetch by importing node:http", async () => {
    const source = `
      import { request } from 'node:http';
      console.log(typeof request, process.moduleLoadList.some((name) => name.includes('undici')));`;
    expect(await outputOf(source)).toBe('function false');
  });

  it('explains a value that a schema refuses, without the other languages', async () => {
    const source = `
      import { z } from 'zod';
      console.log(z.string().safeParse(1).error.issues[0].message);`;
    expect(await outputOf(source)).toBe('Invalid input: expected string, received number');
  });
});
