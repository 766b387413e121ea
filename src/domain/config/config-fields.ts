import * as z from 'zod';
import { readGoDuration } from '../go-duration.ts';

// Each field's `error` is what is expected there: readers of a configuration put it beside what was found.

const amount = String.raw`(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)`;

const nothing = String.raw`(0+\.?0*|\.0+)(ns|us|µs|μs|ms|s|m|h)`;

/** Go's notation (SPEC 2.1), read as milliseconds. The patterns are for editors, which know nothing of Go. */
export const durationAbove0 = duration(
  'a duration above 0',
  '30s or 1m30s',
  `^(?=.*[1-9])[+]?(${amount})+$`,
  (ms) => ms > 0,
);
export const durationFrom0 = duration(
  'a duration of 0 or more',
  '0s or 1m30s',
  `^([+]?(0|(${amount})+)|-(0|(${nothing})+))$`,
  (ms) => ms >= 0,
);

function duration(wanted: string, examples: string, pattern: string, fits: (ms: number) => boolean) {
  const right = `${wanted} with its unit, such as ${examples}`;
  return z
    .string({ error: right })
    .superRefine((text, check) => {
      const reading = readGoDuration(text);
      if (!reading.ok) check.addIssue({ code: 'custom', message: `${right}: ${reading.because}` });
      else if (!fits(reading.ms)) check.addIssue({ code: 'custom', message: right });
    })
    .meta({ pattern })
    .transform((text) => {
      const reading = readGoDuration(text);
      return reading.ok ? reading.ms : z.NEVER;
    });
}

/** The keys of a schema, however deep, that take a duration. */
export function durationKeys(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodArray) return durationKeys(schema.element);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([key, child]) => (isDuration(child) ? [key] : durationKeys(child)));
}

function isDuration(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) return isDuration(schema.def.innerType);
  return schema === durationAbove0 || schema === durationFrom0;
}

/** A whole number, at least `least`. */
export function wholeNumber(least: number) {
  const error = `a whole number, at least ${least}`;
  return z.int({ error }).gte(least, { error });
}

/** A text that an operator writes: the regular expression that it matches, and what is expected. */
export type TextRule = Readonly<{ pattern: string; wanted: string }>;

/** A text by a rule. What YAML takes for a number or a boolean is asked for in quotes. */
export function text({ pattern, wanted }: TextRule) {
  return z.string({ error: ({ input }) => wanted + quotesFor(input) }).regex(new RegExp(pattern), { error: wanted });
}

function quotesFor(input: unknown): string {
  if (typeof input === 'number') return ', in quotes';
  return typeof input === 'boolean'
    ? ', in quotes: YAML takes yes, no, on and off without them for true and false'
    : '';
}

/** A mapping whose keys the operator chooses. Case counts in them; `matchKeys` checks them against the rule. */
export function mappingOf<Value extends z.ZodType>(key: TextRule, value: Value, error: string) {
  return z.record(z.string().meta({ pattern: key.pattern, description: key.wanted }), value, { error });
}

/** What Kubernetes accepts as the name of most objects: a DNS subdomain. */
export function objectName(whose: string) {
  const wanted = `${whose}: lower-case letters, digits, "-" and ".", at most 253 of them`;
  const pattern = String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`;
  return text({ pattern, wanted }).max(253, { error: wanted });
}

/** A key of older configurations, and harmless: it is ignored with a warning. */
export function withoutEffect(description: string) {
  return z.unknown().optional().meta({ deprecated: true, description });
}
