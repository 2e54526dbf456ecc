import { parseStrictJson } from '../../../lib/strict-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** How other agents write the input of a tool: models send that form even if they were given another schema. */
export interface ForeignInput {
  /** Our field -> its names in other agents. Case, `_` and `-` make no difference. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Fields that do not change what is done. */
  readonly idle?: readonly string[];
  /** Conversions beyond names. It gets the fields as they were sent. */
  readonly convert?: (fields: Fields) => Fields;
}

/** Names of a path field in other agents. */
export const PATH_NAMES = [
  'file_path',
  'filename',
  'file_name',
  'file',
  'absolute_path',
  'target_file',
  'relative_path',
  'relative_workspace_path',
] as const;

/** Texts about a call that other agents require for every tool. */
const IDLE = ['explanation', 'security_risk', 'wait_for_previous', 'tool_summary', 'tool_action'];

/**
 * Converts an input that does not fit the schema: fields get our names; texts become numbers, booleans, lists or
 * objects; one text becomes a list; a text for the whole input is parsed; null becomes absent. Unknown or unfitting
 * values stay unchanged: a guess must never change what is done.
 */
export function adaptInput(sent: unknown, schema: Fields, { names = {}, idle = [], convert }: ForeignInput): unknown {
  const fields = typeof sent === 'string' ? jsonIn(sent) : sent;
  if (!isFields(fields)) return fields === null ? {} : sent;
  const named = renamed(convert?.(fields) ?? fields, schema, names);
  const kept = without(named, schema, [...IDLE, ...idle]);
  return coerced(kept, schema, names);
}

/** A name is replaced only if it is clear: our field is absent, and no second name means the same field. */
function renamed(fields: Fields, schema: Fields, names: NonNullable<ForeignInput['names']>): Fields {
  const known = propertiesOf(schema);
  const ours = new Map<string, string>();
  for (const name of Object.keys(known)) {
    for (const other of [name, ...(names[name] ?? [])]) ours.set(bare(other), name);
  }
  const target = (name: string): string => (name in known ? name : (ours.get(bare(name)) ?? name));
  const targets = Object.keys(fields).map(target);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isSure = targets.filter((each) => each === target(name)).length === 1;
      return [isSure ? target(name) : name, value];
    }),
  );
}

function without(fields: Fields, schema: Fields, idle: readonly string[]): Fields {
  const known = propertiesOf(schema);
  const dropped = new Set(idle.map(bare));
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => (name in known || !dropped.has(bare(name))) && !(value === null && !required.includes(name)),
    ),
  );
}

function coerced(value: unknown, schema: Fields, names: NonNullable<ForeignInput['names']>): unknown {
  switch (schema['type']) {
    case 'object': {
      const fields = typeof value === 'string' ? jsonIn(value) : value;
      if (!isFields(fields)) return value;
      const known = propertiesOf(schema);
      return Object.fromEntries(
        Object.entries(renamed(fields, schema, names)).map(([name, each]) => [
          name,
          isFields(known[name]) ? coerced(each, known[name], names) : each,
        ]),
      );
    }
    case 'array': {
      const { items } = schema;
      const list = typeof value === 'string' ? listIn(value, items) : value;
      if (!Array.isArray(list)) return value;
      return isFields(items) ? list.map((item: unknown) => coerced(item, items, names)) : list;
    }
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^-?\d{1,15}(?:\.0+)?$/.test(value.trim()) ? Number(value) : value;
    case 'boolean':
      return typeof value === 'string' ? (BOOLEANS.get(value.trim().toLowerCase()) ?? value) : value;
    default:
      return value;
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** A single text in place of a list of texts becomes its only item. */
function listIn(text: string, items: unknown): unknown {
  const isEntry = isFields(items) && items['type'] === 'string' && !/^\s*[[{]/.test(text);
  return isEntry ? [text] : jsonIn(text);
}

/** undefined if the text is not JSON. */
function jsonIn(text: string): unknown {
  const parsed = parseStrictJson(Buffer.from(text, 'utf8'));
  return parsed.ok ? parsed.value : undefined;
}

function propertiesOf(schema: Fields): Fields {
  return isFields(schema['properties']) ? schema['properties'] : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bare(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
