import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { PACKAGE_MANAGERS, PACKAGE_TREE } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { readGoMod } from '../../../src/lib/packages/go-mod.ts';
import { readGoSum } from '../../../src/lib/packages/go-sum.ts';
import type { SummedModule } from '../../../src/lib/packages/go-sum.ts';
import { escaped, goFacts } from './go-facts.ts';
import { explainGo } from './go-failure.ts';
import { readGoSettings } from './go-settings.ts';
import type { GoSettings } from './go-settings.ts';
import { openModuleProxy } from './module-proxy.ts';
import type { ModuleProxy } from './module-proxy.ts';
import { programOf } from '../package-work.ts';
import type { PackageWork } from '../package-work.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramEnd } from '../run-program.ts';
import { whyUnsafeZip } from '../zip-archive.ts';

const { manifest, lockfile, directory } = PACKAGE_MANAGERS.go;
/** Packages of one module that are looked at for what they need. */
const MAX_PACKAGES = 500;
/** Modules in one command. */
const AT_ONCE = 200;

type Go = (words: readonly string[], flags?: string) => Promise<ProgramEnd>;
type Failed = Extract<PackageReport, { kind: 'failed' }>;

interface Site {
  readonly project: string;
  readonly go: Go;
  readonly explain: (ended: ProgramEnd) => Failed;
}

/** Runs Go on go.mod and go.sum, with nothing of the user's but whom to ask. It builds nothing. */
export async function performGo(work: PackageWork): Promise<PackageReport> {
  const settings = readGoSettings(work.grant);
  const proxy = await openModuleProxy(work, settings);
  try {
    return await perform(work, settings, proxy);
  } finally {
    proxy.close();
  }
}

async function perform(work: PackageWork, settings: GoSettings, proxy: ModuleProxy): Promise<PackageReport> {
  const { job, out } = work;
  const { request } = job;
  const project = join(out, PACKAGE_TREE);
  const cache = join(project, directory);
  await mkdir(cache, { recursive: true });
  await writeFile(join(project, manifest), job.manifest);
  if (job.lockfile !== null) await writeFile(join(project, lockfile), job.lockfile);
  const site: Site = {
    project,
    go: await preparedGo(work, settings, proxy, project),
    explain: (ended) => explainGo(ended, request, proxy, settings),
  };

  let said = '';
  if (request.kind === 'add') {
    const added = await add(site, request, job.manifest);
    if ('kind' in added) return added;
    said = added.output;
  }
  const sumText = await readFile(join(project, lockfile), 'utf8').catch(() => '');
  const sums = readGoSum(sumText);
  if (sums.kind === 'unreadable') return { kind: 'failed', failure: 'other', message: `${lockfile}: ${sums.why}` };
  const why = (await download(site, sums.modules)) ?? (await firstUnsafe(cache, sums.modules));
  if (why !== null) return why;

  // What only tells this machine which downloads are under way, and what the database has said.
  for (const name of ['cache/lock', 'cache/vcs', 'cache/download/sumdb'])
    await rm(join(cache, name), { recursive: true, force: true });
  // The layer is no part of the project, whatever its own .gitignore says.
  await writeFile(join(cache, '.gitignore'), '*\n');
  return {
    kind: 'done',
    manifest: await readFile(join(project, manifest), 'utf8'),
    lockfile: await readFile(join(project, lockfile), 'utf8'),
    facts: await goFacts(work, cache, sums.modules, said),
    scripts_run: [],
    scripts_skipped: [],
  };
}

/**
 * `go get`, and then what the packages of the module need: Go writes down only what something imports, and it sees no source of the project. So a file
 * of ours imports them: the requested package, or all of the module that can be imported.
 */
async function add(
  { project, go, explain }: Site,
  { name, version }: Extract<PackageRequest, { kind: 'add' }>,
  before: string,
): Promise<ProgramEnd | Failed> {
  const got = await go(['get', version === undefined ? name : `${name}@${version}`], '-mod=mod');
  if (got.code !== 0) return explain(got);
  const isModule = requiresModule(await readFile(join(project, manifest), 'utf8'), name);
  const packages = isModule ? await packagesOf(go, name) : [name];
  const standIn = join(project, 'stand_in.go');
  await writeFile(standIn, `package standin\n\nimport (\n${packages.map((each) => `\t_ "${each}"\n`).join('')})\n`);
  const resolved = await go(['list', '-e', '-f={{""}}', '.'], '-mod=mod');
  await rm(standIn);
  if (resolved.code !== 0) return explain(resolved);
  if (!/^toolchain\s/m.test(before)) await go(['mod', 'edit', '-toolchain=none']);
  return got;
}

function requiresModule(text: string, name: string): boolean {
  const read = readGoMod(text);
  return read.kind === 'mod' && read.mod.requires.has(name);
}

/** Those that others may import. */
async function packagesOf(go: Go, module: string): Promise<readonly string[]> {
  const listed = await go(['list', '-e', '-find', '-f={{.Name}} {{.ImportPath}}', `${module}/...`], '-mod=mod');
  return listed.output
    .split('\n')
    .flatMap((line) => {
      const [, name = '', path = ''] = /^(\w+) (\S+)$/.exec(line.trim()) ?? [];
      const isOpen =
        (path === module || path.startsWith(`${module}/`)) && !/(?:^|\/)(?:internal|vendor)(?:\/|$)/.test(path);
      return isOpen && name !== 'main' ? [path] : [];
    })
    .slice(0, MAX_PACKAGES);
}

/** All that go.sum names: the same for the same go.sum. Go compares each with its line there, and asks nobody else. */
async function download({ go, explain }: Site, modules: readonly SummedModule[]): Promise<Failed | null> {
  const graph = await go(['list', '-m', '-f={{""}}', 'all'], '-mod=readonly');
  if (graph.code !== 0) return explain(graph);
  for (let at = 0; at < modules.length; at += AT_ONCE) {
    const names = modules.slice(at, at + AT_ONCE).map(({ path, version }) => `${path}@${version}`);
    const ended = await go(['mod', 'download', ...names], '-mod=readonly');
    if (ended.code !== 0) return explain(ended);
  }
  return null;
}

/** Looks at the archives as they came. */
async function firstUnsafe(cache: string, modules: readonly SummedModule[]): Promise<Failed | null> {
  for (const { path, version } of modules) {
    const at = join(cache, 'cache/download', escaped(path), '@v');
    const name = `${escaped(version)}.zip`;
    if (!(await readdir(at).catch((): string[] => [])).includes(name)) continue;
    const why = await whyUnsafeZip(join(at, name), `${path}@${version}/`);
    if (why !== null) return { kind: 'failed', failure: 'unsafe_archive', message: `${path}@${version}: ${why}` };
  }
  return null;
}

/** Go with no configuration, no other toolchain, no program that fetches repositories, and nobody to ask but whom the user names. */
async function preparedGo(
  { grant, out, temporary, proxyUrl, onLine, env }: PackageWork,
  settings: GoSettings,
  proxy: ModuleProxy,
  project: string,
): Promise<Go> {
  const certificates = join(temporary, 'ca.pem');
  await writeFile(certificates, [...rootCertificates, ...grant.extra_ca].join('\n'));
  const work = join(out, 'work');
  await mkdir(work);
  const environment = {
    PATH: [dirname(programOf(grant)), env['PATH'] ?? ''].join(':'),
    HOME: temporary,
    TMPDIR: work,
    GOENV: 'off',
    GOROOT: dirname(dirname(programOf(grant))),
    GOPATH: join(work, 'path'),
    GOMODCACHE: join(project, directory),
    GOCACHE: join(work, 'cache'),
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    GOVCS: '*:off',
    GOAUTH: 'off',
    CGO_ENABLED: '0',
    GOPROXY: proxy.goproxy,
    GOSUMDB: proxy.gosumdb,
    GONOSUMDB: settings.notOfDatabase,
    GONOPROXY: settings.notOfProxies,
    SSL_CERT_FILE: certificates,
    // Whoever is asked directly is asked of the gate.
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
  };
  return (words, flags) =>
    runProgram([programOf(grant), ...words], {
      cwd: project,
      onLine,
      env: { ...environment, GOFLAGS: ['-modcacherw', ...(flags === undefined ? [] : [flags])].join(' ') },
    });
}
