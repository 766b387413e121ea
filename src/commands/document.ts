import { Document, visit } from 'yaml';
import { terminalLine } from '../adapters/words/plain-words.ts';

/** A value for programs, which a terminal may show all the same: what it would obey is escaped (SPEC 1.1), and what reads the document gets it back. */
export function documentText(value: object, form: 'json' | 'yaml', indent = 2): string {
  const text = form === 'json' ? JSON.stringify(value, undefined, indent) : yamlText(value);
  return text.split('\n').map(terminalLine).join('\n');
}

/** Only in double quotes can YAML escape anything. */
function yamlText(value: object): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_, scalar) {
      const { value: text } = scalar;
      if (typeof text === 'string' && terminalLine(text) !== text) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString().trimEnd();
}
