/** The rules with whose numbers a test's name begins; `wrong` reads like one and is none. */
export type RulesNamed = Readonly<{ rules: readonly string[]; wrong: readonly string[] }>;

const first = /^(?:\d+\.\d|\d+$|[SL]\d)/;
// `0.6` and `1.5h` after the first number are values that the test is about, `429` and `60` too.
const further = /^(?:[1-9]\d?\.\d+|[SL]\d+)$/;
const range = /^(?:\d+\.\d+|[SL]\d+)(?:[-–—/&+…]|\.{2,})(?:\d+\.\d+|[SL]?\d+)$/;

/** `6.4 6.5 the record is kept` names 6.4 and 6.5. Ranges are refused: whoever reads `6.4-6.7` finds no test of 6.5. */
export function rulesNamed(name: string, known: ReadonlySet<string>): RulesNamed {
  const rules: string[] = [];
  const wrong: string[] = [];
  for (const [index, word] of name.split(/\s+/).entries()) {
    const id = word.replace(/[,:;]$/, '');
    if (!(index === 0 ? first : further).test(id) && !range.test(id)) break;
    (known.has(id) ? rules : wrong).push(id);
  }
  return { rules, wrong };
}
