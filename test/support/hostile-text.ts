import fc from 'fast-check';
import type { z } from 'zod';

/** Pieces that a terminal acts on, or shows as something else than they are. */
const PIECES = [
  '\u001b[2J',
  '\u001b[31m',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://evil.example\u001b\\',
  '\u009b1;1H',
  '\u0090q\u009c',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u{e0041}',
  '\ufeff',
  '\u2800',
  '\ud83d',
  '\r',
  '\n',
  '\t',
  '\b',
  '\u0000',
  '👨‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'a/b.ts',
  'Done. ',
];

export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 6 })
  .map((pieces) => pieces.join(''));

/** Values that a schema takes, with every string in it hostile; enumerations keep to their names. */
export function hostileOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string') return hostileText;
  if (def.type === 'number') return fc.integer({ min: 0, max: 1_000_000 });
  if (def.type === 'boolean') return fc.boolean();
  if (def.type === 'literal') return fc.constantFrom(...def.values);
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries));
  if (def.type === 'array') return fc.array(hostileOf(def.element), { maxLength: 3 });
  if (def.type === 'record') return fc.dictionary(hostileText, hostileOf(def.valueType), { maxKeys: 3 });
  if (def.type === 'optional') return fc.option(hostileOf(def.innerType), { nil: undefined });
  if (def.type === 'nullable') return fc.option(hostileOf(def.innerType));
  if (def.type === 'union') return fc.oneof(...def.options.map(hostileOf));
  if (def.type === 'unknown') return fc.oneof(hostileText, fc.dictionary(hostileText, hostileText, { maxKeys: 3 }));
  if (def.type !== 'object') throw new Error(`no values of ${def.type} are made`);
  return fc.record(Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, hostileOf(field)])));
}

/** What of a text a terminal would act on, or show as nothing; none in text that is safe to print. */
export function unsafeIn(text: string): string[] {
  const rest = text.replaceAll(/\p{RGI_Emoji}/gv, '').replaceAll(/[\n\t\ufe0f]/g, '');
  return rest.match(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu) ?? [];
}
