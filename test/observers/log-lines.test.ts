import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../../src/adapters/record/log/log.ts';
import { kindWords } from '../../src/adapters/record/words/turn-words.ts';

const root = join(import.meta.dirname, '../..');
const rooms = ['src/adapters/record/log', 'src/adapters/record/facts', 'src/commands/role'];
const roles = ['prober', 'weeder'];
const nouns = Object.values(kindWords).map(({ noun }) => noun);

/** The kinds of lines that the source names. */
function named(): ReadonlySet<string> {
  const sources = rooms.flatMap((room) =>
    readdirSync(join(root, room)).map((file) => readFileSync(join(root, room, file), 'utf8')),
  );
  const names = sources.flatMap((text) => [
    ...[...text.matchAll(/\bline: (?:'([^']+)'|`([^`]+)`)/g)].map(([, plain, filled]) => plain ?? filled ?? ''),
    ...[...text.matchAll(/\bfieldsOf\('([^']+)'/g)].map(([, name]) => name ?? ''),
  ]);
  return new Set(
    names.flatMap((name) => {
      if (name.includes('${role.name}')) return roles.map((role) => name.replace('${role.name}', role));
      return name.includes('${noun}') ? nouns.map((noun) => name.replace('${noun}', noun)) : [name];
    }),
  );
}

test('9.4 each kind of line that the log has is described, and each that is described is there', () => {
  const page = readFileSync(join(root, 'docs/logs.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
  expect(new Set(rows.map((name) => name.replaceAll('`', '')))).toEqual(named());
});

test('9.4 what docs/logs.md has a store of logs search finds warnings and errors alone, as they are and within JSON', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', clock: { now: () => 0 }, write: (line) => lines.push(line) });
  log.error('a write failed', { shoot: 'shoot--a--b' });
  log.warn('a probe fails');
  log.info('the level is error, or warn');
  const patterns = [...readFileSync(join(root, 'docs/logs.md'), 'utf8').matchAll(/~ ?"(level[^"]+)"/g)];
  expect(patterns).toHaveLength(2);
  for (const [, pattern = ''] of patterns) {
    const search = new RegExp(pattern.replaceAll('\\\\', '\\'));
    expect(lines.map((line) => search.test(line))).toEqual([true, true, false]);
    expect(lines.map((line) => search.test(JSON.stringify({ log: line })))).toEqual([true, true, false]);
  }
});
