import { realpath } from 'node:fs/promises';
import { callEngine } from '../../../src/host/images/engine-api.ts';
import { collectHostRootfs } from '../../../src/host/images/host-rootfs.ts';
import { sortEntries, textFile, type RootfsEntry } from '../../../src/host/images/rootfs-entry.ts';
import { tarStream } from '../../../src/host/images/tar-stream.ts';

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
 * An image as a user could have one: this machine's programs, with Node in a directory of its own, and with a Python module that is nowhere else. `changes`
 * are instructions of a Dockerfile; `without` takes paths out.
 */
export async function makeUserImage(
  name: string,
  { changes = [], without = [] }: { readonly changes?: readonly string[]; readonly without?: readonly RegExp[] } = {},
): Promise<UserImage> {
  const { entries } = await collectHostRootfs({ nodePath: process.execPath, users: [] });
  const node = await realpath(process.execPath);
  const own: RootfsEntry[] = [
    ...['opt', 'opt/stack', 'opt/stack/bin'].map((path) => ({ kind: 'directory', path, mode: 0o755 }) as const),
    { kind: 'file', path: 'opt/stack/bin/node', mode: 0o755, content: { kind: 'disk', path: node } },
    textFile('opt/stack/evil.cjs', 'process.exit(0);\n'),
    ...['usr/lib/python3', 'usr/lib/python3/dist-packages'].map(
      (path) => ({ kind: 'directory', path, mode: 0o755 }) as const,
    ),
    textFile(`usr/lib/python3/dist-packages/${MARKER_MODULE}.py`, 'NAME = "stack"\n'),
  ];
  const kept = entries.filter(
    ({ path }) => path !== 'usr/local/bin/node' && !without.some((pattern) => pattern.test(path)),
  );
  const all = new Map([...kept, ...own].map((entry) => [entry.path, entry]));
  const repo = `localhost/fluffy-test-${name}`;
  const query = new URLSearchParams({ fromSrc: '-', repo, tag: '1' });
  for (const change of [`ENV PATH=${STACK}/bin:/usr/bin:/bin`, ...changes]) query.append('changes', change);
  const { status, body } = await callEngine(ENGINE, {
    method: 'POST',
    path: `/images/create?${query.toString()}`,
    body: { kind: 'tar', bytes: tarStream(sortEntries(all.values())) },
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
