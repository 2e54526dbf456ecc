import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import { findToolchains } from '../../../src/host/toolchains/find-toolchains.ts';
import { goToolchain } from '../../support/go-toolchain.ts';
import { mavenToolchain } from '../../support/maven-toolchain.ts';
import { phpToolchain } from '../../support/php-toolchain.ts';
import { rubyToolchain } from '../../support/ruby-toolchain.ts';
import { rustToolchain } from '../../support/rust-toolchain.ts';
import { toolchainEnv } from '../../support/toolchain-env.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolchains-')));
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

const { PATH, RUSTUP_HOME } = toolchainEnv();
const hasGo = (await goToolchain()) !== null;
const hasPhp = (await phpToolchain()) !== null;
const hasRuby = (await rubyToolchain()) !== null;
const hasMaven = (await mavenToolchain()) !== null;
const hasRust = (await rustToolchain()) !== null;
let count = 0;

function project(files: Readonly<Record<string, string>>): string {
  const root = join(base, String((count += 1)));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function found(projectRoot: string, env: Readonly<Record<string, string>> = {}, heard: string[] = []) {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const all = { PATH, RUSTUP_HOME, HOME: base, ...env };
  return findToolchains({ projectRoot, env: all, caches, onProgress: (text) => void heard.push(text) });
}

describe('the toolchains of a project', () => {
  it('are none where no file asks for one', async () => {
    expect(await found(project({ 'README.md': '', 'node_modules/a/go.mod': 'module a\n' }))).toEqual([]);
  });

  it.skipIf(!hasGo)('are Go, its modules where go env says they are, and nothing of the project', async () => {
    const modules = project({ 'cache/lock': '' });
    const root = project({ 'services/api/go.mod': 'module api\n' });
    const [go] = await found(root, { GOMODCACHE: modules });
    expect(go?.forTests.env['GOMODCACHE']).toBe(modules);
    expect(go?.mounts).toContain(modules);
    expect(go?.forTests.env).toMatchObject({ GOPROXY: 'off', GOTOOLCHAIN: 'local', GOENV: 'off' });

    mkdirSync(join(root, 'modules'));
    const [inside] = await found(root, { GOMODCACHE: join(root, 'modules') });
    expect(inside?.mounts.filter((path) => path.startsWith(base))).toEqual([]);
  });

  describe('of Python', () => {
    const ELF = '\x7fELF program';
    const installed = (version = '3.12') => ({
      [`py/bin/python${version}`]: ELF,
      [`py/lib/python${version}/os.py`]: '',
    });
    /** A project with a virtual environment whose interpreter is this program. */
    function withVirtualenv(program: string, written = join(program, '..')): string {
      const root = project({ 'pyproject.toml': '', '.venv/pyvenv.cfg': `home = ${written}\nversion = 3.12.1\n` });
      mkdirSync(join(root, '.venv/bin'));
      symlinkSync(program, join(root, '.venv/bin/python3'));
      return root;
    }

    it('are the interpreter of its virtual environment, by each name that it has', async () => {
      const host = project(installed());
      symlinkSync(join(host, 'py'), join(host, 'alias'));
      const root = withVirtualenv(join(host, 'alias/bin/python3.12'), join(host, 'alias/bin'));
      const [python, ...others] = await found(root, { HOME: join(base, 'nobody') });
      expect(others).toEqual([]);
      const interpreter = join(host, 'py/bin/python3.12');
      expect(python?.forTests).toEqual({ name: 'python', path: [], env: {}, interpreter });
      expect(python?.mounts).toEqual(['py/bin', 'py/lib', 'alias/bin', 'alias/lib'].map((path) => join(host, path)));
    });

    it('are the active virtual environment, with its programs, where the project has none', async () => {
      const host = project(installed());
      const active = withVirtualenv(join(host, 'py/bin/python3.12'));
      const env = { HOME: join(base, 'nobody'), VIRTUAL_ENV: join(active, '.venv') };
      const [python] = await found(project({ 'pyproject.toml': '' }), env);
      expect(python?.forTests.path).toEqual([join(active, '.venv/bin')]);
      expect(python?.mounts).toContain(join(active, '.venv'));
      const [own] = await found(withVirtualenv(join(host, 'py/bin/python3.12')), env);
      expect(own?.forTests.path).toEqual([]);
    });

    it('are an interpreter by no name in the project', async () => {
      const host = project(installed());
      const root = withVirtualenv(join(host, 'py/bin/python3.12'));
      symlinkSync(join(host, 'py'), join(root, 'mine'));
      writeFileSync(join(root, '.venv/pyvenv.cfg'), `home = ${root}/mine/bin\n`);
      const [python] = await found(root, { HOME: join(base, 'nobody') });
      expect(python?.mounts).toEqual(['py/bin', 'py/lib'].map((path) => join(host, path)));
    });

    it.each([
      ['a directory that is no Python', { 'py/bin/python3.12': ELF, 'py/secret': '' }],
      ['a script', { ...installed(), 'py/bin/python3.12': '#!/bin/sh\n' }],
      ['the library of another version', { 'py/bin/python3.12': ELF, 'py/lib/python3.11/os.py': '' }],
    ])('are none where the link of the project leads to %s', async (_what, files) => {
      const root = withVirtualenv(join(project(files), 'py/bin/python3.12'));
      expect(await found(root, { HOME: join(base, 'nobody') })).toEqual([]);
    });

    it('are none in the home directory itself, and an interpreter that is gone is named', async () => {
      const host = project(installed());
      const root = withVirtualenv(join(host, 'py/bin/python3.12'));
      expect(await found(root, { HOME: join(host, 'py') })).toEqual([]);
      rmSync(join(host, 'py'), { recursive: true });
      const heard: string[] = [];
      expect(await found(root, {}, heard)).toEqual([]);
      expect(heard).toEqual([`${root}/.venv is not used: its interpreter no longer exists`]);
    });
  });

  it('are Bun, as a copy with nothing beside it, and none that the project brings', async () => {
    const program = '\x7fELF program';
    const host = project({ 'bin/bun': program, 'bin/secret': '' });
    const root = project({ 'package.json': '{}', 'tools/bun': program });
    const [bun, ...others] = await found(root, { PATH: `${root}/tools:${host}/bin`, HOME: '/nowhere' });
    expect(others).toEqual([]);
    const [directory = ''] = bun?.mounts ?? [];
    expect(readdirSync(directory)).toEqual(['bun']);
    expect(readFileSync(join(directory, 'bun'), 'utf8')).toBe(program);
    expect(statSync(directory).mode & 0o777).toBe(0o755);
    expect(bun?.forTests).toEqual({ name: 'bun', path: [directory], env: {} });
    expect(await found(root, { PATH: `${root}/tools`, HOME: '/nowhere' })).toEqual([]);
    expect(await found(root, { PATH: '/nowhere', BUN_INSTALL: host })).toHaveLength(1);
    rmSync(directory, { recursive: true });
  });

  it("are Deno, beside npm's script that starts it, with the modules that it has downloaded and nothing that was typed into it", async () => {
    const host = project({
      'lib/deno/bin.cjs': '#!/usr/bin/env node',
      'lib/@deno/linux-x64-glibc/deno': '\x7fELF deno',
      '.cache/deno/npm/a': '',
      '.cache/deno/deno_history.txt': 'secret',
    });
    mkdirSync(join(host, 'bin'));
    symlinkSync('../lib/deno/bin.cjs', join(host, 'bin/deno'));
    const [deno] = await found(project({ 'deno.json': '{}' }), { PATH: `/nowhere:${host}/bin`, HOME: host });
    const [directory = '', ...others] = deno?.mounts ?? [];
    expect(readdirSync(directory)).toEqual(['deno']);
    expect(others).toEqual([join(host, '.cache/deno/npm')]);
    expect(deno?.forTests.env).toMatchObject({ DENO_DIR: join(host, '.cache/deno') });

    symlinkSync('.cache', join(host, 'linked'));
    const env = { PATH: `${host}/bin`, HOME: host, XDG_CACHE_HOME: join(host, 'linked') };
    const [linked] = await found(project({ 'deno.json': '{}' }), env);
    expect(linked?.forTests.env).toEqual(deno?.forTests.env);
    expect(linked?.mounts).toEqual(deno?.mounts);
    rmSync(directory, { recursive: true });
  });

  it.skipIf(!hasRust)("are Rust, with what cargo has downloaded, and not the user's cargo configuration", async () => {
    const home = project({
      '.cargo/registry/index/a': '',
      '.cargo/config.toml': '',
      '.cargo/credentials.toml': 'token',
    });
    const [rust] = await found(project({ 'a/Cargo.toml': '' }), { HOME: home });
    expect(rust?.forTests.env).toMatchObject({ CARGO_NET_OFFLINE: 'true', CARGO_HOME: join(home, '.cargo') });
    expect(rust?.mounts.filter((path) => path.startsWith(home))).toEqual([join(home, '.cargo/registry')]);

    const linked = project({ '.profile': '' });
    symlinkSync(join(home, '.cargo'), join(linked, '.cargo'));
    const [other] = await found(project({ 'a/Cargo.toml': '' }), { HOME: linked });
    expect(other?.forTests.env).toMatchObject({ CARGO_HOME: join(home, '.cargo') });
    expect(other?.mounts).toEqual(rust?.mounts);

    const parts = project({ 'disk/index/a': '', '.cargo/config.toml': '' });
    symlinkSync(join(parts, 'disk'), join(parts, '.cargo/registry'));
    symlinkSync(parts, join(parts, '.cargo/git'));
    const [apart] = await found(project({ 'Cargo.toml': '' }), { HOME: parts });
    expect(apart?.mounts.filter((path) => path.startsWith(parts))).toEqual([join(parts, '.cargo/registry')]);

    const heard: string[] = [];
    const pinned = project({ 'Cargo.toml': '', 'rust-toolchain.toml': '[toolchain]\nchannel = "1.2.3"\n' });
    expect(await found(pinned, { HOME: home }, heard)).toHaveLength(1);
    expect(heard).toContain('the toolchain 1.2.3 of rust-toolchain is not installed: the default one is used');
  });

  it.skipIf(!hasRust || !existsSync('/usr/bin/gcc'))(
    'are Rust with a compiler of C for build scripts, which has its headers with it',
    async () => {
      const root = project({
        'Cargo.toml': '',
        'a.c':
          '#include <stdio.h>\n#include <sys/mman.h>\n#include <stddef.h>\n#include <linux/types.h>\nint main(void) { return puts("compiled") < 0; }\n',
      });
      const [rust] = await found(root);
      const kit = rust?.mounts.find((path) => /\/linker-[0-9a-f]+$/.test(path)) ?? '';
      // What it does in an image without a compiler: this host has one.
      const [, , copied = ''] = readFileSync(join(kit, 'bin/cc'), 'utf8').split('\n');
      const used = execFileSync('sh', ['-c', copied, 'cc', '-o', join(root, 'a'), join(root, 'a.c')], {
        env: { PATH: `${join(kit, 'bin')}:/bin` },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(used).toBe('');
      expect(execFileSync(join(root, 'a'), { encoding: 'utf8' })).toBe('compiled\n');
    },
  );

  it.skipIf(!hasRuby)('are a Ruby that runs by itself and knows where it is, its libraries and its gems', async () => {
    const [ruby] = await found(project({ 'core/Gemfile': '' }));
    const [bin = ''] = ruby?.forTests.path ?? [];
    const asked = execFileSync(
      join(bin, 'ruby'),
      ['-e', 'require "openssl"; require "minitest"; puts RbConfig.ruby, $LOADED_FEATURES.grep(/^\\//)'],
      { env: { ...ruby?.forTests.env, PATH: '/nowhere' }, encoding: 'utf8' },
    );
    const [program, ...loaded] = asked.trim().split('\n');
    expect(program).toBe(join(bin, 'ruby'));
    expect(loaded.length).toBeGreaterThan(5);
    const isSeen = (path: string) => ruby?.mounts.some((mount) => path.startsWith(`${mount}/`));
    expect(loaded.filter((path) => isSeen(path) !== true)).toEqual([]);
  });

  it.skipIf(!hasPhp)(
    'are a PHP that runs by itself, its extensions, and what is installed for all projects',
    async () => {
      const [php] = await found(project({ 'core/composer.json': '' }));
      const [bin = ''] = php?.forTests.path ?? [];
      const asked = execFileSync(
        join(bin, 'php'),
        [
          '-r',
          'echo PHP_BINARY, "\n", ini_get("extension_dir"), "\n", extension_loaded("dom") ? "dom" : "none", "\n", stream_resolve_include_path("PHPUnit/Autoload.php");',
        ],
        { env: { ...php?.forTests.env, PATH: '/nowhere' }, encoding: 'utf8' },
      );
      const [program, extensions = '', dom, installed = ''] = asked.split('\n');
      expect([program, dom]).toEqual([join(bin, 'php'), 'dom']);
      const isSeen = (path: string) => php?.mounts.some((mount) => path.startsWith(`${mount}/`));
      expect([isSeen(extensions), installed === '' || isSeen(installed)]).toEqual([true, true]);
    },
  );

  it.skipIf(!hasMaven)(
    'are a JDK and a Maven that knows the local repository, and nothing else of the settings',
    async () => {
      const home = project({ 'jars/a': '', '.m2/settings.xml': '' });
      const settings = `<settings><localRepository>${home}/jars</localRepository><password>secret</password></settings>`;
      writeFileSync(join(home, '.m2/settings.xml'), settings);
      const root = project({ 'core/pom.xml': '' });
      const [java] = await found(root, { HOME: home });
      expect(java?.mounts.filter((path) => path.startsWith(home))).toEqual([join(home, 'jars')]);
      // javac needs it for a chain of some hundred calls, as tests of parsers have it.
      expect(java?.forTests.env['MAVEN_OPTS']).toContain('-Xss8m');
      const copy = java?.forTests.env['MAVEN_HOME'] ?? '';
      expect(java?.mounts).toContain(copy);
      const written = readFileSync(join(copy, 'conf/settings.xml'), 'utf8');
      expect(written).toContain(`<localRepository>${home}/jars</localRepository><offline>true</offline>`);
      expect(written).not.toContain('secret');

      writeFileSync(join(home, '.m2/settings.xml'), settings.replace(`${home}/jars`, root));
      const [inside] = await found(root, { HOME: home });
      expect(inside?.mounts.filter((path) => path.startsWith(base))).toEqual([]);
      const brought = project({ 'pom.xml': '', 'maven/bin/m2.conf': '', 'jdk/bin/javac': '' });
      const [own] = await found(brought, {
        HOME: home,
        JAVA_HOME: join(brought, 'jdk'),
        MAVEN_HOME: join(brought, 'maven'),
      });
      expect(own?.mounts.some((path) => path.startsWith(brought))).toBe(false);
    },
  );

  it('are not those that the project brings', async () => {
    const root = project({
      'go.mod': 'module api\n',
      'go/VERSION': 'go1.99',
      'go/src/runtime/a.go': '',
      'go/bin/go': '',
    });
    const [go] = await found(root, { PATH: join(root, 'go/bin') });
    expect(go?.mounts.some((path) => path.startsWith(root))).toBe(false);
    symlinkSync(join(root, 'go/bin'), join(base, 'bin'));
    const [linked] = await found(root, { PATH: join(base, 'bin') });
    expect(linked?.mounts.some((path) => path.startsWith(root))).toBe(false);
  });
});
