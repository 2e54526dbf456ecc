import { fetch as undiciFetch } from 'undici';
import type { Agent, RequestInit as UndiciRequestInit } from 'undici';

/** A `fetch` whose every request goes through `agent`, in the type that the vendors' libraries ask for. */
export function gateFetch(agent: Agent): typeof fetch {
  const viaGate = async (input: string | URL, init: UndiciRequestInit = {}): Promise<unknown> =>
    // A redirect would carry the key to wherever the endpoint says.
    await undiciFetch(input, { ...init, dispatcher: agent, redirect: 'error' });
  return viaGate as unknown as typeof fetch;
}
