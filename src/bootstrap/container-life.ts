import { callEngine, exchange, type Engine } from './engine-request.ts';
import { l1Container, type L1Options } from './l1-container.ts';

/** Makes and starts L1; resolves with its id. What was made is gone again when it can't be started. */
export async function createAndStart(engine: Engine, l1: L1Options): Promise<string> {
  const created = await callEngine(engine, 'POST', `/containers/create?name=${l1.name}`, [201], {
    body: l1Container(l1),
  });
  const { Id: id } = created as { Id: string };
  try {
    await callEngine(engine, 'POST', `/containers/${id}/start`, [204]);
    return id;
  } catch (error) {
    await removeContainer(engine, id);
    throw error;
  }
}

/** Resolves when the container has ended or is gone. */
export async function ended(engine: Engine, id: string, signal: AbortSignal): Promise<void> {
  await callEngine(engine, 'POST', `/containers/${id}/wait`, [200, 404], { timeoutMs: 0, signal });
}

/** Lets it end in order, then removes it. Never rejects. */
export async function stopContainer(engine: Engine, id: string | null): Promise<void> {
  if (id === null) return;
  await callEngine(engine, 'POST', `/containers/${id}/stop?t=5`, [204, 304, 404]).catch(() => undefined);
  await removeContainer(engine, id);
}

/** Kills and removes. Never rejects. */
export async function removeContainer(engine: Engine, id: string | null): Promise<void> {
  if (id === null) return;
  await callEngine(engine, 'DELETE', `/containers/${id}?force=1&v=1`, [204, 404, 409]).catch(() => undefined);
}

/** Removes every container that carries all of `labels`. */
export async function removeLabelled(engine: Engine, labels: Readonly<Record<string, string>>): Promise<void> {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const filters = encodeURIComponent(JSON.stringify({ label }));
  const found = await callEngine(engine, 'GET', `/containers/json?all=1&filters=${filters}`, [200]);
  for (const { Id } of found as { Id: string }[]) await removeContainer(engine, Id);
}

/** What was seen, and what the engine knows of a dead container: out of memory, exit code, last words. Never rejects. */
export async function describeDeath(engine: Engine, id: string, seen: string): Promise<string> {
  try {
    const inspected = await callEngine(engine, 'GET', `/containers/${id}/json`, [200]);
    const { State } = inspected as { State: { OOMKilled: boolean; ExitCode: number; Running: boolean } };
    if (State.OOMKilled) return 'it ran out of memory';
    const words = await lastWords(engine, id);
    return `${seen}${State.Running ? '' : ` (exit code ${State.ExitCode})`}${words === '' ? '' : `: ${words}`}`;
  } catch {
    return seen;
  }
}

async function lastWords(engine: Engine, id: string): Promise<string> {
  const path = `/v${engine.apiVersion}/containers/${id}/logs?stdout=1&stderr=1&tail=20`;
  const { status, body } = await exchange(engine.socketPath, 'GET', path);
  let text = '';
  // The engine's own framing: stream number, three zeros, a 4-byte length, the text.
  for (let at = 0; status === 200 && at + 8 <= body.length; at += 8 + body.readUInt32BE(at + 4))
    text += body.toString('utf8', at + 8, at + 8 + body.readUInt32BE(at + 4));
  // Control characters would reach the user's terminal.
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(-1000);
}
