import * as z from 'zod';

/**
 * The text of a JSON Schema for what an operator writes: what an editor offers and underlines. It judges as the program does
 * under `--strict`; `test/commands/config-schema.test.ts` holds them together, and knows the few differences.
 */
export function configSchema(written: z.ZodType): string {
  // Draft 7, since the YAML servers of the common editors know no newer one completely.
  const schema = z.toJSONSchema(written, { io: 'input', target: 'draft-07' });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
