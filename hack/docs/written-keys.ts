import * as z from 'zod';
import { durationAbove0, durationFrom0 } from '../../src/domain/config/config-fields.ts';

/** One key that an operator may write, with what the program takes there. */
export type WrittenKey = Readonly<{
  /** `dependentResourceInfos[].ref.kind` */
  path: string;
  type: string;
  /** As it is written in YAML; `required` where there is none, `one or the other` where other keys stand in for it, and empty where nothing follows from leaving it out. */
  default: string;
  bounds: string;
  meaning: string;
}>;

/** The part of JSON Schema that our configurations come to. */
type Schema = Readonly<{
  type?: string;
  description?: string;
  default?: string | number | boolean;
  deprecated?: boolean;
  pattern?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  minItems?: number;
  minProperties?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | false;
  /** Which keys are required where others are there. */
  then?: Schema;
  else?: Schema;
}>;

const patternOf = (schema: z.ZodType) => (z.toJSONSchema(schema, { io: 'input' }) as Schema).pattern;
const durations = new Map([
  [patternOf(durationAbove0), 'above 0'],
  [patternOf(durationFrom0), '0 or more'],
]);

/** All keys of a configuration, each parent before its children, in the order in which the schema has them. */
export function writtenKeys(written: z.ZodType): readonly WrittenKey[] {
  return below(z.toJSONSchema(written, { io: 'input', target: 'draft-07' }) as Schema, '');
}

function below(schema: Schema, path: string): readonly WrittenKey[] {
  if (schema.items !== undefined) return below(schema.items, `${path}[]`);
  const keys = Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const own = path === '' ? key : `${path}.${key}`;
    return [keyOf(own, child, needOf(schema, key)), ...below(child, own)];
  });
  const each = schema.additionalProperties;
  return each === undefined || each === false ? keys : [...keys, ...below(each, `${path}.*`)];
}

function needOf({ required = [], then: those, else: others }: Schema, key: string): string | undefined {
  if (required.includes(key)) return 'required';
  const either = [...(those?.required ?? []), ...(others?.required ?? [])];
  return either.includes(key) ? 'one or the other' : undefined;
}

function keyOf(path: string, schema: Schema, need: string | undefined): WrittenKey {
  const { description, deprecated = false } = schema;
  if (description === undefined) throw new Error(`${path} has no description`);
  const standard = schema.default === undefined ? '' : String(schema.default);
  return {
    path,
    type: typeOf(schema),
    default: need ?? standard,
    bounds: boundsOf(schema),
    meaning: deprecated ? `${description} Deprecated.` : description,
  };
}

function typeOf({ type, pattern, enum: words, items }: Schema): string {
  if (durations.has(pattern)) return 'duration';
  if (words !== undefined) return 'one word';
  if (type === 'array') return items?.type === 'object' ? 'list of mappings' : 'list of texts';
  const names: Readonly<Record<string, string>> = {
    object: 'mapping',
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
  };
  return type === undefined ? 'anything' : (names[type] ?? type);
}

function boundsOf(schema: Schema): string {
  const { pattern, enum: words, minimum, maximum, exclusiveMinimum, maxLength, minItems, minProperties } = schema;
  const length = durations.get(pattern);
  if (length !== undefined) return length;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  return [
    minimum === undefined ? [] : `at least ${minimum}`,
    exclusiveMinimum === undefined ? [] : `above ${exclusiveMinimum}`,
    // No number that an operator means is larger than what a number can hold exactly.
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : `at most ${maximum}`,
    maxLength === undefined ? [] : `at most ${maxLength} characters`,
    minItems === undefined ? [] : `at least ${minItems}`,
    minProperties === undefined ? [] : `at least ${minProperties}`,
  ]
    .flat()
    .join(', ');
}
