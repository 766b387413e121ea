import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { writtenOut } from '../written-out.ts';

const conditionSchema = z.strictObject({
  /** Where an alert has several: its label `cause`. */
  cause: z.string().optional(),
  /**
   * PromQL. One Prometheus watches one seed: nothing here names a job or a namespace. Nor a bound of a bucket: Prometheus 3 stores `le="2.0"`
   * where Prometheus 2 stores `le="2"`.
   */
  expr: z.string(),
  /** For how long it must be so. */
  for: z
    .string()
    .regex(/^\d+[mh]$/)
    .optional(),
});

/** One way in which an alert fires: one rule of Prometheus. */
export type Condition = z.infer<typeof conditionSchema>;

const alertSchema = z.strictObject({
  /** The heading of its runbook too. */
  name: z.string(),
  /** Critical: it needs a hand tonight. Warning: it needs one this week. What needs none is on the dashboards. */
  severity: z.enum(['critical', 'warning']),
  /** Why it needs one. */
  because: z.string(),
  when: z.array(conditionSchema).nonempty(),
  /** One line, for a telephone at night. It may name labels of the alert: `{{ $labels.shoot }}`, and its `<cause>`. */
  summary: z.string(),
  /** What it means: the description of the alert, and the beginning of its runbook. */
  means: z.string(),
  /** What to look at, in this order. */
  look: z.array(z.string()),
  /** What to do. */
  act: z.array(z.string()),
});

/** An alert with its runbook. The rules of deploy/monitoring and docs/runbooks.md are written from it. */
export type Alert = z.infer<typeof alertSchema>;

const groupSchema = z.strictObject({ title: z.string(), alerts: z.array(alertSchema) });

/** In the order of the rules and of docs/runbooks.md. */
const files = ['presence', 'protection', 'probing', 'program'];

/** By the title of their group, in the rules and in docs/runbooks.md. */
export const alertGroups: Readonly<Record<string, readonly Alert[]>> = Object.fromEntries(
  files.map((file) => {
    const { title, alerts: those } = groupSchema.parse(writtenOut(parse(readFileSync(placeOf(file), 'utf8'))));
    return [title, those];
  }),
);

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();

/** From another page of docs. */
export function runbookLink(alert: string): string {
  return `[${alert}](runbooks.md#${alert.toLowerCase()})`;
}

function placeOf(file: string): URL {
  return new URL(`${file}.yaml`, import.meta.url);
}
