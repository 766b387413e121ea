import * as z from 'zod';
import { nearest } from '../nearest.ts';
import { type ConfigProblem, type ConfigWarning, type KeyPath, showValue, writePath } from './config-remark.ts';
import { isMapping, valueAt } from '../value-at.ts';

/** A written configuration with its keys spelt as the schema spells them, and what was noticed on the way. */
type KnownKeys = Readonly<{ value: unknown }> & Notes;

type Notes = Readonly<{
  problems: ConfigProblem[];
  warnings: ConfigWarning[];
  /** Keys that were left out, or left empty, and have a default. */
  defaults: KeyPath[];
  /** Keys that were written and are marked as deprecated. */
  deprecated: KeyPath[];
}>;

/**
 * Matches keys without regard to case, as Go's JSON does, and drops the unknown ones with a warning (SPEC 2.1).
 * A key without a value counts as left out. Values are passed on as they are: to judge them is the schema's part.
 */
function matchKeys(schema: z.ZodType, written: unknown): KnownKeys {
  const notes: Notes = { problems: [], warnings: [], defaults: [], deprecated: [] };
  return { value: match(schema, written, [], notes), ...notes };
}

function match(wrapped: z.ZodType, written: unknown, path: KeyPath, notes: Notes): unknown {
  const schema = unwrapped(wrapped);
  if (schema instanceof z.ZodArray && Array.isArray(written)) {
    return written.map((item: unknown, index) => match(schema.element as z.ZodType, item, [...path, index], notes));
  }
  if (schema instanceof z.ZodRecord && isMapping(written)) return matchOwnKeys(schema, written, path, notes);
  if (schema instanceof z.ZodObject && isMapping(written)) return matchMapping(schema, written, path, notes);
  return written;
}

function matchMapping(schema: z.ZodObject, written: object, path: KeyPath, notes: Notes): Record<string, unknown> {
  const fields = new Map<string, z.ZodType>(Object.entries(schema.shape));
  const spelling = new Map([...fields.keys()].map((key) => [key.toLowerCase(), key]));
  const spelt = new Map<string, string>();
  const matched: Record<string, unknown> = {};

  for (const [key, value] of Object.entries(written) as [string, unknown][]) {
    const known = spelling.get(key.toLowerCase());
    const field = known === undefined ? undefined : fields.get(known);
    if (known === undefined || field === undefined) {
      notes.warnings.push(unknownKey(path, key, fields));
      continue;
    }
    const earlier = spelt.get(known);
    if (earlier !== undefined) {
      notes.problems.push({
        path: [...path, known],
        found: `the key twice, as ${earlier} and ${key}`,
        wanted: 'one of them',
      });
      continue;
    }
    spelt.set(known, key);
    const isWritten = value !== null && value !== undefined;
    if (key !== known) notes.warnings.push(otherCase([...path, known], key, known));
    if (!isWritten) notes.warnings.push(...withoutValue([...path, known], field));
    if (!isWritten) continue;
    matched[known] = match(field, value, [...path, known], notes);
    if (isDeprecated(field)) notes.deprecated.push([...path, known]);
  }

  for (const [key, field] of fields) {
    if (field instanceof z.ZodPrefault && matched[key] === undefined) notes.defaults.push([...path, key]);
  }
  return matched;
}

/** Keys that the operator chooses stay as they are. zod does not judge the value of a wrong key, so it must not judge the keys. */
function matchOwnKeys(schema: z.ZodRecord, written: object, path: KeyPath, notes: Notes): Record<string, unknown> {
  const { pattern = '', description: wanted = '' } = (schema.keyType as z.ZodType).meta() ?? {};
  const right = new RegExp(String(pattern));
  const matched = (Object.entries(written) as [string, unknown][]).map(([key, value]) => {
    const own = [...path, key];
    if (!right.test(key)) notes.problems.push({ path: own, found: `the key ${showValue(key)}`, wanted });
    return [key, match(schema.valueType as z.ZodType, value, own, notes)] as const;
  });
  return Object.fromEntries(matched);
}

function unknownKey(path: KeyPath, key: string, fields: ReadonlyMap<string, z.ZodType>): ConfigWarning {
  const useful = [...fields].filter(([, field]) => !isDeprecated(field)).map(([known]) => known);
  const meant = nearest(key, useful);
  return {
    path: [...path, key],
    text: `is unknown and has no effect${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    strictly: { found: 'an unknown key', wanted: meant ?? `one of ${useful.join(', ')}` },
  };
}

/** Go's JSON takes no notice of case; the schema for editors does. */
function otherCase(path: KeyPath, key: string, known: string): ConfigWarning {
  return {
    path,
    text: `is written ${key}, which editors and --strict refuse`,
    strictly: { found: `the key ${key}`, wanted: `the key ${known}, spelt like this` },
  };
}

/** Nothing where the key is required, since that is a problem anyway, or where any value is right. */
function withoutValue(path: KeyPath, field: z.ZodType): ConfigWarning[] {
  const strictly = { found: 'no value', wanted: 'a value, or no such key' };
  if (field instanceof z.ZodPrefault)
    return [{ path, text: `has no value, and counts as ${showDefault(field.def.defaultValue)}`, strictly }];
  if (!(field instanceof z.ZodOptional) || unwrapped(field) instanceof z.ZodUnknown) return [];
  return [{ path, text: 'has no value, and counts as left out', strictly }];
}

function showDefault(value: unknown): string {
  return typeof value === 'string' ? value : showValue(value);
}

function isDeprecated(field: z.ZodType): boolean {
  return field.meta()?.deprecated === true;
}

/** Without the wrappers for defaults and for what may be left out. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}

/** What a role's schema finds in its written configuration; the role's own rules go on from here. */
export type WrittenReading<Config> = KnownKeys & Readonly<{ config: Config | undefined }>;

/**
 * Holds the keys (SPEC 2.1) and values that were written against those of a schema. There is a `config`, with every
 * default filled in, where each value can be used; `strict` makes problems of what only Go's decoder lets pass (SPEC 2.1).
 */
export function readWritten<Schema extends z.ZodType>(
  schema: Schema,
  written: unknown,
  { strict }: Readonly<{ strict: boolean }>,
): WrittenReading<z.output<Schema>> {
  const known = matchKeys(schema, written);
  const parsed = schema.safeParse(known.value);
  return {
    ...known,
    config: parsed.data,
    problems: [
      ...known.problems,
      ...valueProblems(parsed.error?.issues ?? [], known.value),
      ...(strict ? known.warnings.flatMap(asProblem) : []),
    ],
    warnings: strict ? known.warnings.filter(({ strictly }) => strictly === undefined) : known.warnings,
  };
}

/** One value can break several bounds; it is told once. */
function valueProblems(issues: readonly z.core.$ZodIssue[], written: unknown): ConfigProblem[] {
  const problems = new Map<string, ConfigProblem>();
  for (const issue of issues) {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    problems.set(writePath(path), { path, found: showValue(valueAt(written, ...path)), wanted: issue.message });
  }
  return [...problems.values()];
}

function asProblem({ path, strictly }: ConfigWarning): ConfigProblem[] {
  return strictly === undefined ? [] : [{ path, ...strictly }];
}
