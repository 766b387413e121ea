import * as z from 'zod';

/**
 * The text of a JSON Schema for what an operator writes: what an editor offers and underlines. It is stricter than the
 * program, which matches keys without regard to case and only warns of unknown ones.
 */
export function configSchema(written: z.ZodType): string {
  // Draft 7, since the YAML servers of the common editors know no newer one completely.
  const schema = z.toJSONSchema(written, {
    io: 'input',
    target: 'draft-07',
    // zod bounds every whole number by what JavaScript can count; to an operator that is noise.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
