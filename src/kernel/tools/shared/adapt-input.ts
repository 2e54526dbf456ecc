import { parseStrictJson } from '../../../lib/strict-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** How the tools of other agents write what a tool of ours takes: models send it, whatever schema they were given. */
export interface ForeignInput {
  /** Our field -> what others call it. Case, `_` and `-` make no difference. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Fields that change nothing of what is done. */
  readonly idle?: readonly string[];
  /** What is more than a name. It gets the fields as they were sent. */
  readonly convert?: (fields: Fields) => Fields;
}

/** What others call a path. */
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

/** Words about a call that agents ask for with every tool. */
const IDLE = ['explanation', 'security_risk', 'wait_for_previous', 'tool_summary', 'tool_action'];

/**
 * An input that does not fit the schema, in the form that it would have: fields by our names, numbers, booleans, lists and objects that came as text, one
 * text for a list, the whole as text, null for what is absent. What stays unknown or does not fit is left as it is: nothing is guessed that changes what is done.
 */
export function adaptInput(sent: unknown, schema: Fields, { names = {}, idle = [], convert }: ForeignInput): unknown {
  const fields = typeof sent === 'string' ? jsonIn(sent) : sent;
  if (!isFields(fields)) return fields === null ? {} : sent;
  const named = renamed(convert?.(fields) ?? fields, schema, names);
  const kept = without(named, schema, [...IDLE, ...idle]);
  return coerced(kept, schema, names);
}

/** A name counts only where it cannot be mistaken: ours is absent, and no second one stands for it. */
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

/** One text for a list of texts is its only entry. */
function listIn(text: string, items: unknown): unknown {
  const isEntry = isFields(items) && items['type'] === 'string' && !/^\s*[[{]/.test(text);
  return isEntry ? [text] : jsonIn(text);
}

/** Undefined for what is no JSON. */
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
