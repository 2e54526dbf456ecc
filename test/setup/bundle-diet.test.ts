import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import stringWidth from 'string-width';
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
    external: ['better-sqlite3', 'koffi', 'react-devtools-core', 'cpu-features', '*.node'],
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    plugins,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

async function bundled(source: string): Promise<string> {
  const { outputFiles } = await bundle(source, [bundleDiet.diet]);
  const program = join(directory, `${crypto.randomUUID()}.mjs`);
  await writeFile(program, outputFiles[0]?.contents ?? '');
  return program;
}

/** What a bundled program prints. */
async function outputOf(source: string, ...args: readonly string[]): Promise<string> {
  return (await run(process.execPath, [await bundled(source), ...args])).stdout.trim();
}

describe('the command line', () => {
  it('is read without a look at the directory that a user is in', async () => {
    const project = join(directory, 'project');
    await mkdir(project);
    await run('mkfifo', [join(project, 'package.json')]);
    const program = await bundled(`import yargs from 'yargs'; console.log(yargs().parse(['-p', 'x']).p);`);
    const { stdout } = await run(process.execPath, [program], { cwd: project, timeout: 20_000 });
    expect(stdout.trim()).toBe('x');
  });
});

describe('the bundle of the kernel', () => {
  const kernel = "import './src/kernel/main.ts';";

  it('holds nothing that it never uses, and would hold it otherwise', async () => {
    const [slim, full] = await Promise.all([bundle(kernel, [bundleDiet.diet]), bundle(kernel, [])]);
    expect(bundleDiet.unwantedInputs(slim.metafile)).toEqual([]);
    const unwanted = bundleDiet.unwantedInputs(full.metafile).join('\n');
    for (const name of ['ssh2', '@grpc/grpc-js', 'protobufjs', 'tar-fs', 'readable-stream', 'zod/v4/locales']) {
      expect(unwanted).toContain(`node_modules/${name}/`);
    }
    const [small, large] = [slim, full].map(({ outputFiles }) => outputFiles[0]?.contents.length ?? 0);
    expect((large ?? 0) - (small ?? 0)).toBeGreaterThan(2_000_000);
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

  it("lays out a screen without loading Node's fetch", async () => {
    const source = `
      import Yoga from 'yoga-layout';
      const node = Yoga.Node.create();
      node.setWidth(7);
      node.calculateLayout();
      console.log(node.getComputedWidth(), process.moduleLoadList.some((name) => name.includes('undici')));`;
    expect(await outputOf(source)).toBe('7 false');
  });

  it('measures every text as wide as the package does that it takes the work from', async () => {
    const texts = [
      ...Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)),
      'fluffy · strict',
      '✓\ufe0f done',
      'e\u0301…',
      '⠋\u20e3',
      '→\u{1f3fd}',
      '日本 ✓',
      '\x1b[31m✓\x1b[0m',
      '\x1b[38;2;1;22;255ma\x1b[m',
      '\x1b[123456m',
      '\x1b[\x1b[1mm',
      '\x1b]8;;x\x1b[1m\x07y',
      'a\x1b[2K',
      '',
    ];
    const source = `
      import stringWidth from 'string-width';
      const texts = ${JSON.stringify(texts)};
      console.log(JSON.stringify([...texts, ...texts.map((text) => '· ' + text)].map((text) => stringWidth(text))));`;
    const expected = [...texts, ...texts.map((text) => `· ${text}`)].map((text) => stringWidth(text));
    expect(JSON.parse(await outputOf(source))).toEqual(expected);
    expect(expected).toContain(2);
  });

  it('leaves the Unicode tables alone where each character takes one column', async () => {
    const source = `
      let made = 0;
      const { Segmenter } = Intl;
      Intl.Segmenter = class extends Segmenter {
        constructor() {
          super();
          made += 1;
        }
      };
      const { default: stringWidth } = await import('string-width');
      console.log(stringWidth('\\x1b[1mfluffy\\x1b[22m · strict … ✓ ⠋ ─'), made, stringWidth('日本'), made);`;
    expect(await outputOf(source)).toBe('23 0 4 1');
  });

  it('has one copy of what measures text', async () => {
    const { metafile } = await bundle("import './src/cli/interactive/screen/mount-screen.tsx';", [bundleDiet.diet]);
    expect(Object.keys(metafile.inputs).filter((path) => path.endsWith('string-width/index.js'))).toEqual([
      'node_modules/string-width/index.js',
    ]);
  });

  it('explains a value that a schema refuses, without the other languages', async () => {
    const source = `
      import { z } from 'zod';
      console.log(z.string().safeParse(1).error.issues[0].message);`;
    expect(await outputOf(source)).toBe('Invalid input: expected string, received number');
  });
});
