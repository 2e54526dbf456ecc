import type { BackgroundReply } from './background-query.ts';

/**
 * The terminal's input as Ink gets it: without the reply to a question of ours, and with each Enter as a carriage return. Before raw mode begins the system
 * makes a line feed of Enter, and that would be a further line of the prompt: what was typed so early is the first piece that is read.
 */
export function typedInput(stdin: NodeJS.ReadStream, reply: Pick<BackgroundReply, 'take'>): NodeJS.ReadStream {
  let isFirst = true;
  const read = (): unknown => {
    for (;;) {
      const chunk: unknown = stdin.read();
      if (typeof chunk !== 'string') return chunk;
      const kept = reply.take(isFirst ? chunk.replaceAll('\n', '\r') : chunk);
      isFirst = false;
      // Only null ends what has come.
      if (kept !== '') return kept;
    }
  };
  return new Proxy(stdin, {
    get(target, name) {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
