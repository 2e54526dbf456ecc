import { callEngine } from '../../../src/host/images/engine-api.ts';
import { sharedLibraries } from '../../../src/host/images/rootfs/shared-libraries.ts';
import { sortEntries, textFile, type RootfsEntry } from '../../../src/host/images/rootfs/rootfs-entry.ts';
import { tarStream } from '../../../src/host/images/rootfs/tar-stream.ts';
import { realpath } from 'node:fs/promises';

/** Where each program of ours is in an image; here, a probe that does what the test needs. */
export interface Probe {
  readonly path: string;
  readonly source: string;
}

const ENGINE = { socketPath: '/var/run/docker.sock' };

/**
 * An image of nothing but this machine's Node, `programs` of it, their libraries and `probes`: real containers without building fluffy's own images.
 *
 * @returns the image's id, and how to be rid of it
 */
export async function makeProbeImage(
  probes: readonly Probe[],
  programs: readonly string[] = [],
): Promise<{ readonly id: string; remove(): Promise<void> }> {
  const node = await realpath(process.execPath);
  const files = new Map<string, string>([['usr/local/bin/node', node]]);
  for (const program of programs) files.set(program.slice(1), await realpath(program));
  for (const library of await sharedLibraries([...files.values()]))
    files.set(library.slice(1), await realpath(library));
  const entries = new Map<string, RootfsEntry>();
  const addParents = (path: string): void => {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = parts.slice(0, depth).join('/');
      entries.set(parent, { kind: 'directory', path: parent, mode: 0o755 });
    }
  };
  for (const [path, source] of files) {
    addParents(path);
    entries.set(path, { kind: 'file', path, mode: 0o755, content: { kind: 'disk', path: source } });
  }
  for (const { path, source } of probes) {
    addParents(path.slice(1));
    entries.set(path.slice(1), textFile(path.slice(1), source));
  }
  const { status, body } = await callEngine(ENGINE, {
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-' },
    body: { kind: 'tar', bytes: tarStream(sortEntries(entries.values())) },
  });
  const id = /sha256:[0-9a-f]{64}/.exec(body.toString('utf8'))?.[0];
  if (status !== 200 || id === undefined) throw new Error(`no probe image: ${status} ${body.toString('utf8')}`);
  return {
    id,
    async remove() {
      await callEngine(ENGINE, { method: 'DELETE', path: `/images/${id}`, query: { force: '1' } });
    },
  };
}
