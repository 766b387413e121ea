import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { writtenOut } from '../written-out.ts';

const alertSchema = z.strictObject({
  /** The heading of its runbook too. */
  name: z.string(),
  /** Critical: shoots may be unprotected now. Warning: look at it today. Info: good to know. */
  severity: z.enum(['critical', 'warning', 'info']),
  /** PromQL. One Prometheus watches one seed: nothing here names a job or a namespace. */
  expr: z.string(),
  /** For how long it must be so. */
  for: z
    .string()
    .regex(/^\d+[mh]$/)
    .optional(),
  /** One line, for a telephone at night. It may name labels of the alert: `{{ $labels.shoot }}`. */
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
const files = ['presence', 'protection', 'probing', 'seed', 'program'];

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
