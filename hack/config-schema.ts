import * as z from 'zod';

/**
 * The text of a JSON Schema for what an operator writes: what an editor offers and underlines, and Helm refuses. It judges as the
 * program does under `--strict`; `test/commands/config-schema.test.ts` holds them together, and knows the few differences.
 */
export function configSchema(written: z.ZodType): string {
  // Draft 7, since the YAML servers of the common editors know no newer one completely.
  const schema = z.toJSONSchema(written, { io: 'input', target: 'draft-07' });
  return `${JSON.stringify(schema, (_, part: unknown) => withoutLookAhead(part), 2)}\n`;
}

/** What each look-ahead of ours says of the whole text. */
const lookAheads = {
  '(?=.*[1-9])': '[1-9]',
  '(?=[^/]{1,253}/)': '^([^/]{1,253}/)?[^/]*$',
} as const;

/** A look-ahead is a second pattern here: Go's regular expressions, by which Helm judges, have none. */
function withoutLookAhead(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('pattern' in part) || typeof part.pattern !== 'string')
    return part;
  const { pattern: literal, ...rest } = part;
  // zod writes a slash as it stands in a literal of JavaScript.
  const pattern = literal.replaceAll(String.raw`\/`, '/');
  const ahead = Object.entries(lookAheads).find(([written]) => pattern.includes(written));
  if (ahead !== undefined)
    return { ...rest, allOf: [{ pattern: ahead[1] }, { pattern: pattern.replace(ahead[0], '') }] };
  if (/\(\?[=!<]/.test(pattern)) throw new Error(`Go cannot read ${pattern}: say in lookAheads what it looks for`);
  return part;
}
