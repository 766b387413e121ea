import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Turn, WeederTurn } from '../../src/effects/turn.ts';
import { journalDriver, linesOf, replay } from './journal-driver.ts';
import { meltdown } from './story.ts';
import { ofNamespaces, recovery } from './weeder-story.ts';

const story = await recovery();
const seconds = ofNamespaces(story, 2);

async function recorded(turns: readonly Turn[]): Promise<string> {
  const { journal, files } = journalDriver();
  for (const turn of turns) journal.observe(turn);
  await journal.close();
  return files()[0]!;
}

/** Writes the file anew with the line of a turn changed; the header takes the first line. */
function changeTurn(file: string, seq: number, change: (text: string) => string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.map((text, index) => (index === seq ? change(text) : text)).join('\n'));
}

const deletion = story.find(({ commands }) => commands.some(({ type }) => type === 'deletePod'))!.seq;

test('9.6 L3 a recorded recovery comes out turn by turn as it was, in words', async () => {
  const { code, out } = await replay([await recorded(story)]);
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(out).toContain(`${story.length} events of 1 service, ${story.length - 1} of them replayed`);
  for (const line of [
    /^\S+Z {2}shoot--sim--one\/kube-apiserver {2}pod kcm seen: kcm-container in CrashLoopBackOff$/m,
    /^ {4}delete pod kcm \(deletion \d+\)$/m,
    /deletion \d+ of pod kcm done$/m,
    /deletion \d+ of pod scheduler failed: 500: the seed is ill$/m,
    /deletion \d+ of pod late withdrawn$/m,
    /^ {4}pod many-10 has to wait: as many deletions as are allowed are under way$/m,
    /^ {4}window extended: 5m00s from now on$/m,
    /^ {4}window closed: 15 pods deleted, none left in CrashLoopBackOff$/m,
    /^ {4}recovering → relapsed$/m,
    /EndpointSlices seen: 0 of 2 endpoints ready$/m,
    /ended: the service is gone$/m,
  ])
    expect(out).toMatch(line);
  expect(code).toBe(0);
});

test('9.6 turns that changed nothing are counted, and shown with --all', async () => {
  const file = await recorded(story);
  const folded = await replay([file]);
  expect(folded.out).toMatch(/… \d events of shoot--sim--one\/kube-apiserver without news since 1970-/);
  expect(folded.out).not.toContain('pod kcm gone');
  const all = await replay(['--all', file]);
  expect(all.out).toContain('pod kcm gone');
  expect(all.lines.filter((line) => /^\d{4}-/.test(line))).toHaveLength(story.length);
});

test('9.6 L3 a replay can begin with any file, from the snapshot that a service’s first line brings', async () => {
  const { journal, files, dropped } = journalDriver({ limits: { fileBytes: 20_000, files: 3 } });
  for (const turn of ofNamespaces(story, 5)) journal.observe(turn);
  await journal.close();
  expect(dropped.map(({ reason }) => reason)).toContain('files');
  for (const file of files()) {
    expect(statSync(file).size).toBeLessThan(25_000);
    const { code, out } = await replay([file]);
    expect(out).not.toContain('could not be replayed');
    expect({ code, out }).toMatchObject({ code: 0 });
  }
});

test('9.6 L3 the first turn of a service that comes out differently is reported, and ends it with 1', async () => {
  const file = await recorded(seconds);
  const seq = 2 * deletion - 1;
  changeTurn(file, seq, (text) => text.replace('"type":"deletePod"', '"type":"leavePods"'));
  const { code, out } = await replay([file]);
  expect(out).toContain(`DIFFERENT: event ${seq} of shoot--0/kube-apiserver (${file}, line ${seq + 1})`);
  expect(out).toContain('another commands, at [0].type');
  expect(out).toContain('The later events of this service are shown as recorded.');
  expect(out).toContain(`1 service came out differently, first in event ${seq} of shoot--0/kube-apiserver`);
  expect(code).toBe(1);
  expect((await replay(['--shoot=shoot--1', file])).code).toBe(0);
});

test('9.6 --shoot shows a namespace’s services', async () => {
  const file = await recorded(seconds);
  const { out, code } = await replay(['--shoot', 'shoot--1', file]);
  expect(out).toContain(`${story.length} events of 1 service`);
  expect(out).not.toContain('shoot--0');
  expect(code).toBe(0);
});

test('9.6 a journal may hold turns of shoots and of services; each is taken by its own machine', async () => {
  const shoot = await meltdown();
  const both = [...shoot.slice(0, -1), ...story.slice(0, 10)].map((turn, index) => ({ ...turn, seq: index + 1 }));
  const { out, code } = await replay([await recorded(both)]);
  expect(out).toContain(`${both.length} events of 1 shoot and 1 service`);
  expect(out).toContain('at the end 1 recovering: shoot--sim--one/kube-apiserver');
  expect(code).toBe(0);
  expect((await replay(['--shoot', 'shoot--sim--one', await recorded(both)])).out).toContain('1 shoot and 1 service');
});

test('9.6 --json names the service of each turn', async () => {
  const { lines, code } = await replay(['--json', await recorded(story.slice(0, 10))]);
  const values = lines.map((line) => JSON.parse(line));
  expect(values[2]).toMatchObject({
    seq: 2,
    service: 'shoot--sim--one/kube-apiserver',
    from: 'down',
    to: 'recovering',
    eventful: true,
    replayed: { outcome: 'same' },
  });
  expect(values[2]).not.toHaveProperty('shoot');
  expect(values.at(-1)).toMatchObject({
    summary: {
      turns: 10,
      shoots: 0,
      services: 1,
      differences: [],
      finalStates: { 'shoot--sim--one/kube-apiserver': 'recovering' },
    },
  });
  expect(code).toBe(0);
});

test('9.6 a bug is shown with the event that met it', async () => {
  const last = story[5]!;
  const ended: WeederTurn = {
    ...last,
    seq: 7,
    event: { type: 'ended', at: last.at, because: 'bug', error: 'no', during: { type: 'woken', at: last.at } },
  };
  const { out, code } = await replay([await recorded([...story.slice(0, 6), ended])]);
  expect(out).toContain('ended by a bug at "woken": no');
  expect(code).toBe(0);
});

test('9.6 what no weeder writes is a damaged line', async () => {
  for (const [damage, word] of [
    [(text: string) => text.replace('"type":"', '"type":"un'), 'no event is called'],
    [(text: string) => text.replace('"type":"slices.changed"', '"type":"cluster.changed"'), 'no event is called'],
    [(text: string) => text.replace('"to":"recovering"', '"to":"probing"'), 'to: '],
    [(text: string) => text.replace('/kube-apiserver', ''), 'subject: '],
    [(text: string) => text.replace('"kind":"weeder"', '"kind":"shoot"'), 'no event is called'],
    [(text: string) => text.replace('"kind":"weeder"', '"kind":"hoer"'), 'no machine is called "hoer"'],
    [(text: string) => text.replace('"kind"', '"sort"'), 'kind is missing'],
  ] as const) {
    const file = await recorded(story.slice(0, 10));
    changeTurn(file, 2, damage);
    const { code, out } = await replay([file]);
    expect(out).toContain(`DAMAGED: ${file}, line 3 cannot be read: `);
    expect(out).toContain(word);
    expect(code).toBe(1);
  }
});

test('9.4 9.6 what looks like a credential does not reach the journal with a deletion’s answer', async () => {
  const token = `eyJhbGciOiJSUzI1NiJ9.${'eyJpc3MiOiJrdWJl'.repeat(3)}.c2ln`;
  const failed = story.find(({ event }) => event.type === 'deletion.answered')!;
  if (failed.event.type !== 'deletion.answered') throw new Error('story');
  const answer = { outcome: 'failed', reason: '500', detail: `Bearer ${token}` } as const;
  const text = linesOf(await recorded([{ ...failed, event: { ...failed.event, answer } }])).join('\n');
  expect(text).not.toContain(token);
  expect(text).toContain('[hidden]');
});
