import type * as z from 'zod';
import { writePath, type ConfigProblem, type ConfigWarning } from './config-remark.ts';
import { matchKeys, type KnownKeys } from './known-keys.ts';
import { showValue } from './show-value.ts';
import { valueAt } from '../value-at.ts';

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
