import { expect, test } from 'vitest';
import { changeLine, recordedFile, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, ofNamespaces, recovery } from '@dwd/testing/recorded-nights.ts';

const story = await recovery();
const seconds = ofNamespaces(story, 2);

const deletion = story.find(({ commands }) => commands.some(({ type }) => type === 'deletePod'))!.seq;

test('9.6 L3 a recorded recovery comes out turn by turn as it was, in words', async () => {
  const { code, out } = await replay([await recordedFile(story)]);
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(out).toContain(`${story.length} events of 1 service, ${story.length - 1} of them replayed`);
  for (const line of [
    /^\S+Z {2}shoot--sim--one\/kube-apiserver {2}pod kcm seen: kcm-container in CrashLoopBackOff$/m,
    /^ {4}delete pod kcm \(deletion \d+\)$/m,
    /deletion \d+ of pod kcm done$/m,
    /deletion \d+ of pod scheduler failed: 500: the seed is ill$/m,
    /deletion \d+ of pod late: the deletion was taken back before it was sent$/m,
    /^ {4}pod many-10 has to wait: as many deletions as are allowed are under way$/m,
    /^ {4}window extended: 5m00s from now on$/m,
    /^ {4}window closed: 15 pods deleted, none left crash-looping$/m,
    /^ {4}recovering → relapsed$/m,
    /EndpointSlices seen: 0 of 2 endpoints ready$/m,
    /ended: the service is gone$/m,
  ])
    expect(out).toMatch(line);
  expect(code).toBe(0);
});

test('9.6 L3 the first turn of a service that comes out differently is reported, and ends it with 1', async () => {
  const file = await recordedFile(seconds);
  const seq = 2 * deletion - 1;
  changeLine(file, seq + 1, (text) => text.replace('"type":"deletePod"', '"type":"leavePods"'));
  const { code, out } = await replay([file]);
  expect(out).toContain(`DIFFERENT: event ${seq} of shoot--0/kube-apiserver (${file}, line ${seq + 1})`);
  expect(out).toContain('another commands, at [0].type');
  expect(out).toContain('The later events of this service are shown as recorded.');
  expect(out).toContain(`1 service came out differently, first in event ${seq} of shoot--0/kube-apiserver`);
  expect(code).toBe(1);
  expect((await replay(['--shoot=shoot--1', file])).code).toBe(0);
});

test('9.6 a journal may hold turns of shoots and of services; each is taken by its own machine', async () => {
  const shoot = await meltdown();
  const both = [...shoot.slice(0, -1), ...story.slice(0, 10)].map((turn, index) => ({ ...turn, seq: index + 1 }));
  const { out, code } = await replay([await recordedFile(both)]);
  expect(out).toContain(`${both.length} events of 1 shoot and 1 service`);
  expect(out).toContain('at the end 1 recovering: shoot--sim--one/kube-apiserver');
  expect(code).toBe(0);
  expect((await replay(['--shoot', 'shoot--sim--one', await recordedFile(both)])).out).toContain(
    '1 shoot and 1 service',
  );
});

test('9.6 --json names the service of each turn', async () => {
  const { lines, code } = await replay(['--json', await recordedFile(story.slice(0, 10))]);
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
    const file = await recordedFile(story.slice(0, 10));
    changeLine(file, 3, damage);
    const { code, out } = await replay([file]);
    expect(out).toContain(`DAMAGED: ${file}, line 3 cannot be read: `);
    expect(out).toContain(word);
    expect(code).toBe(1);
  }
});
