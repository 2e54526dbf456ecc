import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { createHostTree, type HostTree, type TreeFilter } from './host-tree.ts';
import { HELPER_TOOLS, REQUIRED_TOOLS, TOOL_DIRECTORIES } from './host-tools.ts';
import type { RootfsEntry } from './rootfs-entry.ts';
import { textFile } from './rootfs-entry.ts';
import { sharedLibraries } from './shared-libraries.ts';

const run = promisify(execFile);

/** The content of the base image if no registry can be used. */
export interface HostRootfs {
  readonly entries: readonly RootfsEntry[];
  /** The programs and libraries that it was copied from, as real paths: if one changes, the image is outdated. */
  readonly inputs: readonly string[];
}

export interface HostRootfsOptions {
  /** The Node that is copied to /usr/local/bin/node. */
  readonly nodePath: string;
  /** Further users, beside root and nobody, that get a name, because programs look up their own user. */
  readonly users: readonly { readonly uid: number; readonly gid: number }[];
}

/**
 * Collects a small Linux root file system from the host: Node, git without its network helpers, Python with its standard library if there is one, a
 * shell with the usual small tools, and the libraries that these need.
 *
 * @throws FluffyError `host_base_incomplete` if the host lacks git or a required tool.
 */
export async function collectHostRootfs(options: HostRootfsOptions): Promise<HostRootfs> {
  const tree = createHostTree();
  const programs: string[] = [];

  const nodePath = await realpath(options.nodePath);
  // If /bin is a link to /usr/bin, nothing below uses the name /bin, but every `#!/bin/sh` does.
  for (const directory of ['/bin', '/sbin', '/lib', '/lib64']) await tree.addDirectory(directory, () => false);
  const missing: string[] = [];
  for (const name of [...REQUIRED_TOOLS, ...HELPER_TOOLS]) {
    const found = await addTool(tree, name);
    if (found !== undefined) programs.push(found);
    else if (REQUIRED_TOOLS.includes(name)) missing.push(name);
  }
  if (missing.length > 0) throw incomplete(missing);

  programs.push(...(await addGit(tree)));
  programs.push(...(await addPython(tree)));
  await addBusyboxApplets(tree);
  const libraries = await addLibraries(tree, [nodePath, ...programs]);
  tree.addEntry({
    kind: 'file',
    path: 'usr/local/bin/node',
    mode: 0o755,
    content: { kind: 'disk', path: nodePath },
  });
  await addData(tree);
  for (const entry of skeleton(options.users)) tree.addEntry(entry);

  return { entries: tree.entries(), inputs: [...new Set([nodePath, ...programs, ...libraries])].sort() };
}

function incomplete(missing: readonly string[]): FluffyError {
  return new FluffyError({
    code: 'host_base_incomplete',
    what: 'The base image cannot be assembled from this machine',
    why: `these programs were not found in ${TOOL_DIRECTORIES.join(', ')}: ${missing.join(', ')}`,
    fix: `install them (Debian: apt-get install ${missing.includes('git') ? 'git ' : ''}coreutils findutils grep sed), or use --base registry`,
    exitCode: EXIT.noRuntime,
  });
}

async function findTool(name: string): Promise<string | undefined> {
  for (const directory of TOOL_DIRECTORIES) {
    const path = join(directory, name);
    const info = await stat(path).catch(() => undefined);
    if (info?.isFile() === true && (info.mode & 0o111) !== 0) return path;
  }
  return undefined;
}

async function addTool(tree: HostTree, name: string): Promise<string | undefined> {
  const path = await findTool(name);
  return path === undefined ? undefined : await tree.addFile(path);
}

/** git's programs that use networks, or that need an interpreter that isn't in the image, are left out. */
const GIT_LEFT_OUT =
  /^(git-(remote-(http|https|ftp|ftps)|http-.*|imap-send|daemon|instaweb|send-email|svn|cvs.*|p4|archimport|add--interactive|web--browse|shell|citool|gui.*|credential-.*)|scalar)$/;

async function addGit(tree: HostTree): Promise<string[]> {
  const git = await findTool('git');
  if (git === undefined) return [];
  const execPath = (await run(git, ['--exec-path'], { env: { PATH: '/usr/bin:/bin' } })).stdout.trim();
  const programs: string[] = [];
  await tree.addDirectory(execPath, (path, kind) => {
    if (kind === 'directory' || GIT_LEFT_OUT.test(basename(path))) return false;
    if (kind === 'file') programs.push(path);
    return true;
  });
  await tree.addDirectory('/usr/share/git-core/templates', (path) => basename(path) !== 'hooks');
  return programs;
}

const PYTHON_LEFT_OUT = new Set([
  'test',
  'tests',
  'idlelib',
  'tkinter',
  'turtledemo',
  'ensurepip',
  'dist-packages',
  'site-packages',
]);
const pythonFilter: TreeFilter = (path, kind) => {
  const name = basename(path);
  if (kind === 'directory') return !PYTHON_LEFT_OUT.has(name) && !name.startsWith('config-');
  return !/\.opt-\d\.pyc$/.test(name);
};

async function addPython(tree: HostTree): Promise<string[]> {
  const python = await findTool('python3');
  if (python === undefined) return [];
  const script = 'import sysconfig as s; print(s.get_path("stdlib")); print(s.get_path("platstdlib"))';
  const asked = await run(python, ['-I', '-S', '-c', script], { env: { PATH: '/usr/bin:/bin' } }).catch(
    () => undefined,
  );
  if (asked === undefined) return [];
  const programs: string[] = [];
  for (const directory of new Set(asked.stdout.trim().split('\n'))) {
    await tree.addDirectory(
      directory,
      (path, kind) => {
        const wanted = pythonFilter(path, kind);
        if (wanted && kind === 'file' && path.endsWith('.so')) programs.push(path);
        return wanted;
      },
      { keepTimes: true },
    );
  }
  const real = await tree.addFile(python);
  return real === undefined ? programs : [real, ...programs];
}

/** On a host with busybox and no coreutils, the applets are links to busybox and were already found as tools. */
async function addBusyboxApplets(tree: HostTree): Promise<void> {
  const busybox = await findTool('busybox');
  if (busybox !== undefined) await tree.addFile(busybox);
}

/**
 * Libraries beside libc that may be in no program's list: libc loads some by name at run time, and native modules of a project's packages are linked
 * with others (rolldown's, under vitest, need librt).
 */
const BESIDE_LIBC = [
  'libnss_files.so.2',
  'libgcc_s.so.1',
  'libresolv.so.2',
  'librt.so.1',
  'libdl.so.2',
  'libpthread.so.0',
  'libutil.so.1',
  'libm.so.6',
  'libstdc++.so.6',
];

async function addLibraries(tree: HostTree, programs: readonly string[]): Promise<string[]> {
  const needed = await sharedLibraries(programs);
  const libc = needed.find((path) => path.endsWith('/libc.so.6'));
  const byName = libc === undefined ? [] : BESIDE_LIBC.map((name) => join(dirname(libc), name));
  const real: string[] = [];
  for (const path of [...needed, ...byName]) {
    const added = await tree.addFile(path);
    if (added !== undefined) real.push(added);
  }
  return real;
}

async function addData(tree: HostTree): Promise<void> {
  await tree.addFile('/etc/ssl/certs/ca-certificates.crt');
  await tree.addDirectory('/usr/lib/locale/C.utf8', () => true);
  await tree.addDirectory(
    '/usr/share/zoneinfo',
    (path, kind) => kind !== 'directory' || !/\/(posix|right)$/.test(path),
  );
  await tree.addFile('/etc/mime.types');
}

/** Entries of every system that no package list names. */
function skeleton(users: HostRootfsOptions['users']): RootfsEntry[] {
  const people = [...new Map(users.filter(({ uid }) => uid > 0).map((user) => [user.uid, user])).values()].sort(
    (a, b) => a.uid - b.uid,
  );
  const name = (uid: number): string => (uid === 1000 ? 'fluffy' : `fluffy${uid}`);
  const passwd = [
    'root:x:0:0:root:/root:/bin/sh',
    ...people.map(({ uid, gid }) => `${name(uid)}:x:${uid}:${gid}::/tmp:/bin/sh`),
    'nobody:x:65534:65534:nobody:/nonexistent:/bin/false',
  ];
  const groups = new Map([[0, 'root'], ...people.map(({ uid, gid }) => [gid, name(uid)] as const), [65534, 'nogroup']]);
  const group = [...groups].map(([gid, groupName]) => `${groupName}:x:${gid}:`);
  return [
    ...['dev', 'proc', 'sys', 'run', 'root', 'opt', 'var/lib', 'etc'].map(
      (path) => ({ kind: 'directory', path, mode: 0o755 }) as const,
    ),
    ...['tmp', 'var/tmp'].map((path) => ({ kind: 'directory', path, mode: 0o1777 }) as const),
    textFile('etc/passwd', `${passwd.join('\n')}\n`),
    textFile('etc/group', `${group.join('\n')}\n`),
    textFile('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files\n'),
    textFile('etc/gitconfig', ''),
  ];
}
