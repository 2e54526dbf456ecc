import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';

const lineSchema = z.object({
  status: z.string().optional(),
  id: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).optional(),
  error: z.string().optional(),
});

const MB = 1_000_000;
const STEPS = 10;
const DONE = /^(?:Pull complete|Already exists|Download complete)$/;

interface Layer {
  current: number;
  total: number;
  done: boolean;
}

/** Turns the engine's messages during a pull, line by line, into lines for people: one for each tenth of the known size. */
export class PullProgress {
  readonly #layers = new Map<string, Layer>();
  #shown = '';
  /** The failure that the engine has reported, or null. */
  error: string | null = null;

  /** Text for people; null if there is nothing new. */
  add(text: string): string | null {
    const line = lineSchema.safeParse(parseJson(text));
    if (!line.success) return null;
    const { status = '', id, progressDetail, error } = line.data;
    if (error !== undefined) this.error = error;
    if (id === undefined) return null;
    if (status === 'Pulling fs layer' || DONE.test(status) || status === 'Downloading') {
      const layer = this.#layers.get(id) ?? { current: 0, total: 0, done: false };
      this.#layers.set(id, layer);
      if (status === 'Downloading') Object.assign(layer, sizesOf(progressDetail));
      if (DONE.test(status)) Object.assign(layer, { done: true, current: layer.total });
    }
    return this.#summary();
  }

  #summary(): string | null {
    const layers = [...this.#layers.values()];
    const sum = (of: (layer: Layer) => number): number => layers.reduce((all, layer) => all + of(layer), 0);
    const [current, total] = [sum((layer) => layer.current), sum((layer) => layer.total)];
    const done = layers.filter((layer) => layer.done).length;
    const step = total === 0 ? 0 : Math.floor((STEPS * current) / total);
    const key = `${done} ${step}`;
    if (layers.length === 0 || key === this.#shown) return null;
    this.#shown = key;
    return `${inMegabytes(current)} of ${inMegabytes(total)} MB, ${done} of ${layers.length} layers`;
  }
}

function sizesOf(detail: { current?: number | undefined; total?: number | undefined } = {}): Partial<Layer> {
  const { current = 0, total = current } = detail;
  return { current, total: Math.max(current, total) };
}

function inMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(1);
}
