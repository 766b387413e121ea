import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readmeRows } from '../bench/peer/turns.ts';
import { singleOutages } from '../bench/peer/outages.ts';
import { steady } from '../bench/peer/steady.ts';

const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');

test("the bench beside the Go watchdog prints rows of the README's table, in its words and units", () => {
  const measures = [
    steady({ shoots: 100, nodes: 5, interval: 10, seconds: 60 }),
    singleOutages({ shoots: 20, nodes: 5, interval: 30, delay: 30, limit: 120_000 }),
  ];
  const rows = measures.flatMap((measure) => {
    const values = measure.figures.map(() => 2);
    return readmeRows(measure, [
      { values, reasons: [] },
      { values, reasons: [] },
    ]);
  });
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(withoutFigures(readme)).toContain(withoutFigures(row));
});

function withoutFigures(text: string): string {
  return text.replaceAll(/\| [\d.]+/g, '| N');
}
