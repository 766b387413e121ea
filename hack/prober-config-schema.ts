import * as z from 'zod';
import { writtenProberConfig } from '../src/domain/config/written-prober-config.ts';

/**
 * The text of `docs/schema/prober-config.schema.json`: what an editor offers and underlines. It is stricter than the
 * program, which matches keys without regard to case and only warns of unknown ones.
 */
export function proberConfigSchema(): string {
  // Draft 7, since the YAML servers of the common editors know no newer one completely.
  const schema = z.toJSONSchema(writtenProberConfig, {
    io: 'input',
    target: 'draft-07',
    // zod bounds every whole number by what JavaScript can count; to an operator that is noise.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
