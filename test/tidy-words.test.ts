import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkoutFiles } from '../hack/checkout-files.ts';
import { parseSource, readSources, type Source } from '../hack/source.ts';
import { roomOf } from '../hack/tidy/rooms.ts';
import { retiredWords, proseLines, proseTexts } from '../hack/tidy/words.ts';
import { shootStandings } from '../src/adapters/record/words/standing-words.ts';

const root = join(import.meta.dirname, '..');
const shipped = ({ path }: Source) => roomOf(path) !== undefined || /^packages\/\w+\/commands\//.test(path);
const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });

describe('one vocabulary', () => {
  const glossary = read('docs/glossary.md').text;
  const rows = [...glossary.matchAll(/^\| (?!word|-)([^|]+) \| (?:`(\w+)` \| )?[^|]+ \|$/gm)];

  test('the glossary has the states in the words and the order of the program', () => {
    const states = rows.filter(([, , name]) => name !== undefined).map(([, word, name]) => [name, word]);
    expect(states).toEqual(shootStandings);
  });

  test('the glossary has other words as well, each once', () => {
    const words = rows.flatMap(([, word = '']) => word.split(', '));
    expect(words).toEqual([...new Set(words)]);
    expect(words.length).toBeGreaterThan(shootStandings.length + 15);
  });

  test('status.md tells what to do about each state', () => {
    const page = read('docs/status.md').text;
    expect(shootStandings.filter(([name, word]) => !page.includes(`\n| ${word} | \`${name}\` |`))).toEqual([]);
  });

  test('pages, alerts and dashboards use no retired word', () => {
    const files = checkoutFiles(root).filter(
      (path) => /^(?:docs\/(?!decisions\/).*|[A-Z]\w*)\.md$/.test(path) || /^hack\/monitoring\/.*\.yaml$/.test(path),
    );
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'docs/logs.md', 'hack/monitoring/dashboards/seed.yaml']),
    );
    expect(retiredWords(files.flatMap((path) => proseLines(read(path))))).toEqual([]);
  });

  test('the program says no retired word', () => {
    const told = ['src', 'packages'].flatMap((folder) => readSources(root, folder).filter(shipped)).flatMap(proseTexts);
    expect(told.length).toBeGreaterThan(1_000);
    expect(retiredWords(told)).toEqual([]);
  });
});

describe('a retired word is found', () => {
  test.each([
    'the shoot is healed',
    'it heals',
    '1 down in part',
    'whatever befalls it',
    'it is going down',
    'down by others',
    'down and not answering',
    "found down by the watchdog's hand",
    '180 turns taken again',
    'Take all turns again',
    'taking turn 335 again',
    '6 shoots: 6 protected; none is at odds',
    'No prober is there: no shoot of this seed is protected',
  ])('%s', (text) => {
    expect(retiredWords([{ path: 'docs/x.md', line: 3, text }])).toEqual([
      expect.stringMatching(/^docs\/x\.md:3 says ".+": say "/),
    ]);
  });

  test.each([
    ['docs/simulator.md', 'the gateway is healed'],
    ['docs/x.md', 'scaled down by others, scaled down and not answering'],
    ['docs/x.md', 'the seed takes writes again'],
    ['docs/x.md', '3 shoots protected, and brought back'],
    ['docs/x.md', 'an outage was protected; the lane `healing`'],
  ])('and %s may say: %s', (path, text) => {
    expect(retiredWords(proseLines({ path, text }))).toEqual([]);
  });

  test.each([
    ["const a = 'it heals'", 1],
    ['const a = `it heals ${b}`', 1],
    ['const a = <p>it heals</p>', 1],
    ["type A = 'healing'", 0],
    ["import a from './healing.ts'", 0],
    ['const healing = 1 // it heals', 0],
  ])('in %s', (text, count) => {
    expect(retiredWords(proseTexts(parseSource('src/x.tsx', text)))).toHaveLength(count);
  });
});
