import { realpath } from 'node:fs/promises';
import { callEngine } from '../../../src/host/images/engine-api.ts';
import { collectHostRootfs } from '../../../src/host/images/rootfs/host-rootfs.ts';
import { sortEntries, textFile, type RootfsEntry } from '../../../src/host/images/rootfs/rootfs-entry.ts';
import { tarStream } from '../../../src/host/images/rootfs/tar-stream.ts';

const ENGINE = { socketPath: '/var/run/docker.sock' };

export interface UserImage {
  readonly reference: string;
  readonly id: string;
  remove(): Promise<void>;
}

/** Where the image has its Node, and what code in it finds nowhere else. */
export const STACK = '/opt/stack';
export const MARKER_MODULE = 'stack_of_the_image';

/**
 * An image as a user could have one: by default this machine's programs, with Node in a directory of its own, and with a Python module that is nowhere else.
 * `changes` are instructions of a Dockerfile.
 */
export async function makeUserImage(
  name: string,
  { changes = [], entries }: { readonly changes?: readonly string[]; readonly entries?: readonly RootfsEntry[] } = {},
): Promise<UserImage> {
  const repo = `localhost/fluffy-test-${name}`;
  const query = new URLSearchParams({ fromSrc: '-', repo, tag: '1' });
  for (const change of [`ENV PATH=${STACK}/bin:/usr/bin:/bin`, ...changes]) query.append('changes', change);
  const { status, body } = await callEngine(ENGINE, {
    method: 'POST',
    path: `/images/create?${query.toString()}`,
    body: { kind: 'tar', bytes: tarStream(entries ?? (await ofThisMachine())) },
  });
  const id = /sha256:[0-9a-f]{64}/.exec(body.toString('utf8'))?.[0];
  if (status !== 200 || id === undefined) throw new Error(`no image: ${status} ${body.toString('utf8')}`);
  return {
    reference: `${repo}:1`,
    id,
    async remove() {
      await callEngine(ENGINE, { method: 'DELETE', path: `/images/${id}`, query: { force: '1' } });
    },
  };
}

async function ofThisMachine(): Promise<RootfsEntry[]> {
  const { entries } = await collectHostRootfs({ nodePath: process.execPath, users: [] });
  const own: RootfsEntry[] = [
    ...['opt/stack', 'opt/stack/bin', 'usr/lib/python3', 'usr/lib/python3/dist-packages'].map(
      (path) => ({ kind: 'directory', path, mode: 0o755 }) as const,
    ),
    {
      kind: 'file',
      path: 'opt/stack/bin/node',
      mode: 0o755,
      content: { kind: 'disk', path: await realpath(process.execPath) },
    },
    textFile('opt/stack/evil.cjs', 'process.exit(0);\n'),
    textFile(`usr/lib/python3/dist-packages/${MARKER_MODULE}.py`, 'NAME = "stack"\n'),
  ];
  const kept = entries.filter(({ path }) => path !== 'usr/local/bin/node');
  return sortEntries(new Map([...kept, ...own].map((entry) => [entry.path, entry])).values());
}
